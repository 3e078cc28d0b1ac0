//! Names that are the same in every run: without what a JVM, a compiler or a generator counts anew.

/// Generators number or hash what comes behind these.
const GENERATED: [&str; 10] = [
    "$$Lambda",
    "$$EnhancerBy",
    "$$FastClassBy",
    "$$SpringCGLIB$$",
    "$ByteBuddy$",
    "$MockitoMock$",
    "$HibernateProxy$",
    "_$$_jvst",
    "_$$_javassist",
    "GeneratedMethodAccessor",
];

/// A class as every run would name it: a lambda, a proxy, a mock or a hidden class without its number, address or hash.
pub(crate) fn class(name: &str) -> String {
    // A hidden class is `name/address` (JDK 15 and later), one of `Unsafe` before it `name/number`.
    let name = name.split('/').next().unwrap_or(name);
    let generated = GENERATED.iter().filter_map(|marker| {
        let at = name.find(marker)?;
        name.get(..at + marker.len())
    });
    if let Some(stable) = generated.min_by_key(|stable| stable.len()) {
        return stable.to_owned();
    }
    if let Some((before, number)) = name.rsplit_once("$Proxy")
        && is_number(number)
    {
        return format!("{before}$Proxy");
    }
    // Scala's function objects; anonymous classes of Java are numbered by their place in the source only.
    if name.contains("$anonfun$") {
        return without_numbers(name);
    }
    name.to_owned()
}

/// A method as every compiler would name it: Java's `lambda$total$3` is `lambda$total`, Kotlin's `total$lambda$1` and `total$lambda-1`
/// are `total$lambda`, Scala's `$anonfun$total$1$adapted` is `$anonfun$total`. None for the accessors `access$000` between nested
/// classes, which compilers since JDK 11 do without.
pub(crate) fn method(name: &str) -> Option<String> {
    if name.strip_prefix("access$").is_some_and(is_number) {
        return None;
    }
    Some(without_numbers(
        name.strip_suffix("$adapted").unwrap_or(name),
    ))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Without parts that are a number behind `$` or `-`.
fn without_numbers(name: &str) -> String {
    let mut stable = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find(['$', '-']) {
        let (before, behind) = rest.split_at(at);
        stable.push_str(before);
        let (mark, behind) = behind.split_at(1);
        let end = behind.find(['$', '-']).unwrap_or(behind.len());
        let (part, next) = behind.split_at(end);
        if !is_number(part) {
            stable.push_str(mark);
            stable.push_str(part);
        }
        rest = next;
    }
    stable.push_str(rest);
    stable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_at_run_time_has_one_name() {
        for (stable, names) in [
            (
                "app.Main$$Lambda",
                [
                    "app.Main$$Lambda/0x00007f1",
                    "app.Main$$Lambda$14/0x7f1",
                    "app.Main$$Lambda$3/812",
                ],
            ),
            ("app.$Proxy", ["app.$Proxy3", "app.$Proxy11", "app.$Proxy0"]),
            (
                "app.Order$$EnhancerBy",
                [
                    "app.Order$$EnhancerBySpringCGLIB$$1a",
                    "app.Order$$EnhancerBySpringCGLIB$$2b",
                    "app.Order$$EnhancerByCGLIB$$2b",
                ],
            ),
            (
                "app.Order$MockitoMock$",
                [
                    "app.Order$MockitoMock$12",
                    "app.Order$MockitoMock$3",
                    "app.Order$MockitoMock$",
                ],
            ),
            (
                "app.Hidden",
                ["app.Hidden/0x1", "app.Hidden/0x2", "app.Hidden/1234"],
            ),
            (
                "app.Main$$anonfun$total",
                [
                    "app.Main$$anonfun$total$1",
                    "app.Main$$anonfun$total$2",
                    "app.Main$$anonfun$total$1$2",
                ],
            ),
        ] {
            for name in names {
                assert_eq!(class(name), stable, "{name}");
            }
        }
    }

    #[test]
    fn names_of_the_source_stay() {
        for name in [
            "app.Main",
            "app.Main$1",
            "app.Main$ProxyFactory",
            "app.Main$total$1",
            "a$b.C",
        ] {
            assert_eq!(class(name), name);
        }
        for name in [
            "total",
            "<init>",
            "total-VKZWuLQ",
            "access$total",
            "a$b",
            "$",
            "-",
            "",
        ] {
            assert_eq!(method(name).as_deref(), Some(name));
        }
    }

    #[test]
    fn what_compilers_number_has_one_name() {
        for (name, stable) in [
            ("lambda$total$3", "lambda$total"),
            ("lambda$new$0", "lambda$new"),
            ("total$lambda$1$lambda$0", "total$lambda$lambda"),
            ("total$lambda-0", "total$lambda"),
            ("$anonfun$total$1$adapted", "$anonfun$total"),
            ("liftedTree1$1", "liftedTree1"),
        ] {
            assert_eq!(method(name).as_deref(), Some(stable));
        }
        assert_eq!(method("access$000"), None);
        assert_eq!(method("access$1300"), None);
    }
}
