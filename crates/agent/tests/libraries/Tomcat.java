// exit 0
// libraries frameworks/tomcat-embed-core.jar frameworks/tomcat-annotations-api.jar
// snapshot http- java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Tomcat$Till.doGet(this=Tomcat$Till, org.apache.catalina.connector.RequestFacade, org.apache.catalina.connector.ResponseFacade)
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;

public class Tomcat {
    private static final Logger QUIET = Logger.getLogger("org.apache");

    static class Till extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            int bill = Shop.bill(request.getParameter("customer"));
            response.setStatus(bill);
        }
    }

    public static void main(String[] args) throws Exception {
        QUIET.setLevel(Level.OFF);
        org.apache.catalina.startup.Tomcat server = new org.apache.catalina.startup.Tomcat();
        File folder = Files.createTempDirectory("tomcat").toFile();
        server.setBaseDir(folder.getPath());
        server.setPort(0);
        Context context = server.addContext("", folder.getPath());
        org.apache.catalina.startup.Tomcat.addServlet(context, "till", new Till());
        context.addServletMappingDecoded("/till", "till");
        server.start();
        int port = server.getConnector().getLocalPort();
        for (int i = 0; i < 3; i++) {
            URI place = URI.create("http://localhost:" + port + "/till?customer=nobody");
            System.out.println(((HttpURLConnection) place.toURL().openConnection()).getResponseCode());
        }
        server.stop();
        server.destroy();
    }
}
