// exit 0
// flags -Dapi.key=PROPERTY-is-secret

import java.util.HashMap;
import java.util.Map;

/** Secrets cross the border by their names, by what they look like, and as copies. */
public class Private {
    public static void main(String[] args) {
        Login login = new Login();
        login.setPassword("Setter-42-secret");
        login.secret = "Field-43-secret";
        Map<String, String> headers = new HashMap<>();
        headers.put("Authorization", "Header-44-secret");
        headers.put("Accept", "text-is-kept");
        System.out.println(login.check(headers, "a copy: Setter-42-secret, and jane.doe@example.org"));
        System.out.println(login.getPassword().length());
    }
}

class Login {
    String secret;
    private String password;

    void setPassword(String password) {
        this.password = password;
    }

    String getPassword() {
        return password;
    }

    boolean check(Map<String, String> headers, String text) {
        return headers.size() + text.length() > password.length();
    }
}
