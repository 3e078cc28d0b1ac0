//! Failures of requests, where web servers and frameworks are handed what a handler threw.

use super::gate::{Known, Rule, THROWABLE, gate, known};
use crate::kinds::Kind;
use recrash_weave::Moment;

pub const RULE: Rule = Rule {
    kind: Kind::Web,
    known: &[
        server("org/apache/catalina/core/StandardWrapperValve", "exception"),
        server("org/apache/catalina/core/StandardHostValve", "throwable"),
        // Jetty 9 to 11.
        server("org/eclipse/jetty/server/HttpChannel", "handleException"),
        // Jetty 12, by the version of the servlet API, and without servlets.
        server(
            "org/eclipse/jetty/ee8/nested/HttpChannel",
            "handleException",
        ),
        server(
            "org/eclipse/jetty/ee9/nested/HttpChannel",
            "handleException",
        ),
        server(
            "org/eclipse/jetty/ee10/servlet/ServletChannel",
            "handleException",
        ),
        server(
            "org/eclipse/jetty/ee11/servlet/ServletChannel",
            "handleException",
        ),
        server("org/eclipse/jetty/server/Response", "writeError"),
        known(
            "org/springframework/web/servlet/DispatcherServlet",
            "processHandlerException",
            &["Ljava/lang/Exception;"],
            gate("serverAnswers"),
        ),
        // The JDK's own server closes the connection and says nothing.
        Known {
            class: "com/sun/net/httpserver/Filter$Chain",
            method: "doFilter",
            takes: &[],
            moment: Moment::Failure,
            told: gate("leaves"),
        },
    ],
    shape: None,
};

const fn server(class: &'static str, method: &'static str) -> Known {
    known(class, method, &[THROWABLE], gate("serverAnswers"))
}
