use super::gate::{OBJECT, Shape, THROWABLE};
use super::{answered, dropped, futures, logged};

fn told(
    shape: Option<&Shape>,
    method: &str,
    parameters: &[&str],
) -> Option<(&'static str, Vec<usize>)> {
    let telling = (shape?.gate)(method, parameters)?;
    Some((telling.told.method, telling.places))
}

const TEXT: &str = "Ljava/lang/String;";

#[test]
fn an_error_is_what_goes_to_a_method_or_a_level_that_says_so() {
    let shape = logged::RULE.shape.as_ref();
    let level = "Lorg/tinylog/Level;";
    let check = |method, parameters: &[&str], expected| {
        assert_eq!(told(shape, method, parameters), expected, "{method}");
    };
    check("error", &[TEXT, THROWABLE], Some(("logsError", vec![1])));
    check("error", &[THROWABLE, TEXT], Some(("logsError", vec![0])));
    check(
        "error",
        &[TEXT, OBJECT, OBJECT],
        Some(("logsError", vec![2])),
    );
    check("error", &[TEXT], None);
    check("warn", &[TEXT, THROWABLE], None);
    check(
        "log",
        &["I", level, THROWABLE, TEXT],
        Some(("logsAtLevel", vec![1, 2])),
    );
    check("log", &[level, TEXT], None);
}

#[test]
fn classes_are_loggers_by_their_names() {
    let concerns = |name| (logged::RULE.shape.as_ref().unwrap().concerns)(name, &[]);
    assert!(concerns("org/slf4j/helpers/NOPLogger") && concerns("com/acme/Log"));
    assert!(!concerns("com/acme/LoginService") && !concerns("com/acme/Catalog"));
}

#[test]
fn an_answer_has_a_status_as_a_number_or_as_an_object() {
    let shape = answered::RULE.shape.as_ref();
    let check = |method, parameters: &[&str], expected| {
        assert_eq!(told(shape, method, parameters), expected, "{method}");
    };
    check("setStatus", &["I"], Some(("answersNumber", vec![0])));
    check("sendError", &["I", TEXT], Some(("answersNumber", vec![0])));
    let status = "Lio/netty/handler/codec/http/HttpResponseStatus;";
    check("setStatus", &[status], Some(("answersStatus", vec![0])));
    check("setStatus", &[TEXT], None);
    check("setLength", &["I"], None);
    let concerns = |name| (shape.unwrap().concerns)(name, &[]);
    assert!(concerns("io/undertow/server/HttpServerExchange"));
    assert!(concerns(
        "io/netty/handler/codec/http/DefaultFullHttpResponse"
    ));
    assert!(!concerns("com/acme/Responsibility"));
}

#[test]
fn what_nobody_handles_is_named_so() {
    let shape = dropped::RULE.shape.as_ref();
    let check = |method, parameters: &[&str], expected| {
        assert_eq!(told(shape, method, parameters), expected, "{method}");
    };
    check(
        "onErrorDropped",
        &[THROWABLE, OBJECT],
        Some(("drops", vec![0])),
    );
    check(
        "onUnhandledInboundException",
        &[THROWABLE],
        Some(("drops", vec![0])),
    );
    check(
        "uncaughtException",
        &["Ljava/lang/Thread;", THROWABLE],
        Some(("drops", vec![1])),
    );
    check("onError", &[THROWABLE], None);
    assert!((shape.unwrap().concerns)("a/B", b"..onErrorDropped.."));
}

#[test]
fn futures_store_what_they_are_failed_with() {
    let shape = futures::RULE.shape.as_ref();
    assert_eq!(
        told(shape, "tryFailure", &[THROWABLE]),
        Some(("futureStores", vec![0]))
    );
    assert_eq!(told(shape, "onFailure", &[THROWABLE]), None);
}
