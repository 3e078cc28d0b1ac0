//! Packages of one house.

/// Under these names live many projects of many houses: what two packages share there says nothing yet.
const SHARED_HOMES: [&str; 19] = [
    "org.apache",
    "org.springframework",
    "org.eclipse",
    "org.jboss",
    "org.jetbrains",
    "org.codehaus",
    "org.hibernate",
    "org.glassfish",
    "org.junit",
    "io.quarkus",
    "io.micronaut",
    "io.vertx",
    "io.ktor",
    "io.github",
    "com.github",
    "com.gitlab",
    "com.google",
    "com.sun",
    "com.fasterxml",
];

/// Packages of language runtimes and specifications: never an application's, whichever jar they were put into.
const RUNTIMES: [&str; 10] = [
    "javax",
    "jakarta",
    "scala",
    "kotlin",
    "kotlinx",
    "groovy",
    "clojure",
    "org.codehaus.groovy",
    "org.apache.groovy",
    "nrepl",
];

/// The package of a class given with dots; empty for the unnamed one.
pub fn package_of(class: &str) -> &str {
    // Hidden classes carry an address behind a slash.
    let class = class.split('/').next().unwrap_or(class);
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// Whether `package` lies in `root` or below.
pub(crate) fn is_in(package: &str, root: &str) -> bool {
    package
        .strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

pub(crate) fn is_runtime(package: &str) -> bool {
    RUNTIMES.iter().any(|root| is_in(package, root))
}

/// Whether a class is of the runtime of a language, or of the JDK: never what a test is called after.
pub fn is_of_a_runtime(class: &str) -> bool {
    let package = package_of(class);
    is_runtime(package)
        || ["java", "jdk", "sun"]
            .iter()
            .any(|root| is_in(package, root))
}

/// Whether two packages are of one house: `com.acme.shop` and `com.acme.pricing`.
pub(crate) fn are_related(package: &str, other: &str) -> bool {
    if package.is_empty() || other.is_empty() {
        return package == other;
    }
    is_in(package, house(other))
}

/// What the packages of one house begin with: two words, three where many live.
fn house(package: &str) -> &str {
    let two = words(package, 2);
    if SHARED_HOMES.contains(&two) {
        words(package, 3)
    } else {
        two
    }
}

fn words(package: &str, count: usize) -> &str {
    let mut ends = package.match_indices('.').map(|(at, _)| at);
    let end = ends.nth(count - 1).unwrap_or(package.len());
    package.get(..end).unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_one_house_are_related() {
        assert!(are_related("com.acme.pricing.rules", "com.acme.shop"));
        assert!(are_related("com.acme", "com.acme.shop"));
        assert!(!are_related("com.acmeother.x", "com.acme.shop"));
        assert!(are_related("app.model", "app"));
        assert!(!are_related("picocli", "com.acme.cli"));
        assert!(!are_related("", "com.acme"));
        assert!(are_related("", ""));
    }

    #[test]
    fn where_many_live_two_words_do_not_suffice() {
        let petclinic = "org.springframework.samples.petclinic";
        assert!(!are_related("org.springframework.beans.factory", petclinic));
        assert!(are_related(
            "org.springframework.samples.petclinic.owner",
            petclinic
        ));
        assert!(!are_related(
            "com.google.common.base",
            "com.google.cloud.tool"
        ));
    }

    #[test]
    fn a_package_is_what_stands_before_the_last_dot() {
        assert_eq!(package_of("com.acme.Order$Line"), "com.acme");
        assert_eq!(package_of("com.acme.A$$Lambda/0x00007f.12"), "com.acme");
        assert_eq!(package_of("Main"), "");
    }
}
