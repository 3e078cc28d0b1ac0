// exit 0
// libraries frameworks/jetty-server.jar frameworks/jetty-http.jar frameworks/jetty-io.jar frameworks/jetty-util.jar frameworks/jetty-session.jar frameworks/jetty-security.jar frameworks/jetty-ee10-servlet.jar frameworks/jakarta.servlet-api.jar frameworks/slf4j-api.jar
// snapshot qtp java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Jetty$Till.doGet(this=Jetty$Till, org.eclipse.jetty.ee10.servlet.ServletApiRequest, org.eclipse.jetty.ee10.servlet.ServletApiResponse)
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.HttpURLConnection;
import java.net.URI;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

public class Jetty {
    public static class Till extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            int bill = Shop.bill(request.getParameter("customer"));
            response.setStatus(bill);
        }
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Till()), "/till");
        server.setHandler(context);
        server.start();
        for (int i = 0; i < 3; i++) {
            URI place = URI.create("http://localhost:" + connector.getLocalPort() + "/till?customer=nobody");
            System.out.println(((HttpURLConnection) place.toURL().openConnection()).getResponseCode());
        }
        server.stop();
    }
}
