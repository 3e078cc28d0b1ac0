//! `recrash watch`: the list of second chance, filled from bug reports.

use crate::error::{Error, Result};
use recrash_watchlist::Method;
use std::collections::HashSet;
use std::io::BufRead;

/// The program's methods in printed stack traces, each once, in the order they stand there. `name` is where the text is
/// from: whole logs are read line by line.
pub fn methods_of_trace(mut text: impl BufRead, name: &str) -> Result<Vec<Method>> {
    let mut frames = 0;
    let mut methods: Vec<Method> = Vec::new();
    let mut known: HashSet<Method> = HashSet::new();
    let mut line = Vec::new();
    while text.read_until(b'\n', &mut line).map_err(Error::io(name))? > 0 {
        for frame in recrash_trace::frames_in(&String::from_utf8_lossy(&line)) {
            frames += 1;
            let method = Method::of_frame(frame.module.as_deref(), &frame.class, &frame.method);
            methods.extend(method.filter(|method| known.insert(method.clone())));
        }
        line.clear();
    }
    if methods.is_empty() {
        let name = name.to_owned();
        return Err(if frames == 0 {
            Error::NoTrace { name }
        } else {
            Error::NothingToWatch { name }
        });
    }
    Ok(methods)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let methods = methods_of_trace(text.as_bytes(), "trace.txt").unwrap();
        methods.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn causes_loaders_modules_and_what_is_left_out_are_understood() {
        let text = "Exception in thread \"main\" com.acme.Failure: at noon (sharp)\n\
            \tat app//com.acme.Shop.open(Shop.java:12)\n\
            \tat shop@1.4/com.acme.Shop$Door.<init>(Shop.java:40)\n\
            \tat java.base/java.lang.Thread.run(Thread.java:840)\n\
            \tSuppressed: java.io.IOException: closing\n\t\tat com.acme.Till.close(Till.java)\n\t\t... 2 more\n\
            Caused by: java.lang.NullPointerException\n\
            \tat java.base@17.0.1/java.util.Objects.requireNonNull(Objects.java:233)\n\
            \tat com.acme.Key.turn(Unknown Source)\n\tat com.acme.Key.turn(Key.java:9)\n\t... 2 more\n";
        assert_eq!(
            names(text),
            [
                "com.acme.Shop.open",
                "com.acme.Shop$Door.<init>",
                "com.acme.Till.close",
                "com.acme.Key.turn"
            ]
        );
    }

    #[test]
    fn loggers_may_write_around_the_frames() {
        let text = "2026-11-15 07:00:00 ERROR [http-1] at com.acme.A.f(A.java:1) ~[app.jar:1.0]\n\
            shop-1  |     at com.acme.B.g(B.java:2)\r\n\
            {\"stack\":\"com.acme.Failure: x\\n\\tat com.acme.C.h(C.java:3)\\n\\tat com.acme.D.i(D.java:4)\"}\n\
            we met at home.door (late)\n";
        assert_eq!(
            names(text),
            [
                "com.acme.A.f",
                "com.acme.B.g",
                "com.acme.C.h",
                "com.acme.D.i"
            ]
        );
    }

    #[test]
    fn a_text_without_a_method_of_a_program_is_refused() {
        let refused = |text: &str| {
            methods_of_trace(text.as_bytes(), "t")
                .unwrap_err()
                .to_string()
        };
        assert!(refused("hello").contains("holds no stack trace"));
        assert!(
            refused("\tat java.lang.Thread.run(Thread.java)").contains("only methods of the JDK")
        );
    }
}
