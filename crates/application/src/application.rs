//! The application: its start, and the packages that its own places hold.

use serde::{Deserialize, Serialize};

use crate::launch::{MainJar, Started};
use crate::package::{are_related, is_in, is_runtime, package_of};
use crate::place::Place;
use crate::whose::Whose;

/// What tells the application's own classes from all others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Application {
    /// The class whose `main` was called, behind launchers that are known for some; absent where it is a build tool's or a
    /// launcher's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// The jar or folder of that class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// That jar has libraries in it as well, so that only packages tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shaded: bool,
    /// That jar has a launcher in it, which starts the class `main`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub launched: bool,
    /// The packages of classes that were surely the application's, without those below one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// An application of more packages than this is known by its first ones.
const MOST_PACKAGES: usize = 256;

/// In names that generators give to the classes that they make.
const GENERATED: [&str; 17] = [
    "CGLIB$$",
    "$ByteBuddy$",
    "$MockitoMock$",
    "$$Enhancer",
    "$$FastClass",
    "$HibernateProxy",
    "$HibernateInstantiator",
    "_$$_jvst",
    "_$$_javassist",
    "$$_WeldProxy",
    "$Proxy",
    "$$Lambda",
    "_ClientProxy",
    "_Subclass",
    "$$Definition",
    "$quarkusrestinvoker$",
    "GeneratedMethodAccessor",
];

const JDK: [&str; 5] = ["java", "jdk", "sun", "com.sun.proxy", "com.sun.crypto"];

impl Application {
    /// As far as the command line tells. Where the main class lies shows when it is loaded: [`Application::loaded`].
    pub fn started(started: &Started, jar: Option<&MainJar>) -> Application {
        match (started, jar) {
            (Started::Jar(path), Some(jar)) => Application {
                main: jar.start.clone().or_else(|| jar.main.clone()),
                place: Some(path.clone()),
                shaded: jar.holds_libraries,
                launched: jar.start.is_some(),
                packages: Vec::new(),
            },
            (Started::Class(class), _) => Application {
                main: Some(class.clone()),
                ..Application::default()
            },
            _ => Application::default(),
        }
    }

    /// A class has been loaded from there: whose it is, and what that tells of others.
    pub fn loaded(&mut self, class: &str, place: Option<&str>) -> Whose {
        if self.main.as_deref() == Some(class) {
            self.found_main(place);
        }
        let whose = self.whose(class, place);
        if whose == Whose::Application && is_certain(place) {
            self.own(package_of(class));
        }
        whose
    }

    /// The main class lies there. One among libraries is a launcher's, and says nothing of the application.
    fn found_main(&mut self, place: Option<&str>) {
        let Some(text) = place else { return };
        let place = Place::of(text);
        let started_otherwise = self
            .place
            .as_deref()
            .is_some_and(|jar| !text.ends_with(jar));
        let main = self.main.as_deref().unwrap_or_default();
        let is_launcher = place.is_downloaded()
            || place.is_of_libraries() && started_otherwise
            || !matches!(place, Place::Folder(_)) && is_runtime(package_of(main));
        if is_launcher {
            self.main = None;
            self.place = None;
        } else if self.place.is_none() {
            self.place = place.path().map(str::to_owned);
        }
    }

    fn own(&mut self, package: &str) {
        let known =
            |root: &String| is_in(package, root) && (package.is_empty() || !root.is_empty());
        if self.packages.len() < MOST_PACKAGES && !self.packages.iter().any(known) {
            self.packages
                .retain(|root| package.is_empty() || !is_in(root, package));
            self.packages.push(package.to_owned());
        }
    }

    /// Whose a class is that came from `place`, a path or URL; nothing is known of where classes without one came from.
    pub fn whose(&self, class: &str, place: Option<&str>) -> Whose {
        let package = package_of(class);
        if JDK.iter().any(|root| is_in(package, root)) {
            return Whose::Jdk;
        }
        let at = place.map(Place::of);
        if at.is_some_and(|at| at.is_named("generated-bytecode")) {
            return Whose::Packaging;
        }
        if is_generated(class) {
            return Whose::Generated;
        }
        let (Some(text), Some(place)) = (place, at) else {
            return self.of_nowhere(package);
        };
        match place {
            Place::Folder(_) | Place::Image(_) => Whose::Application,
            _ if is_runtime(package) => Whose::Library,
            Place::Other(_) => Whose::Application,
            _ if self.is_main_jar(text) && !self.is_related(package) && self.launched => {
                Whose::Packaging
            }
            _ if self.is_main_jar(text) => own_if(!self.shaded || self.is_related(package)),
            _ if place.was_built() || self.is_related(package) => Whose::Application,
            // What a launcher starts lies beside its libraries.
            _ => own_if(self.main.is_none() && !place.is_of_libraries()),
        }
    }

    /// Made while the program ran, by a compiler of the program or by an interactive language.
    fn of_nowhere(&self, package: &str) -> Whose {
        if is_runtime(package) {
            Whose::Library
        } else {
            own_if(self.is_related(package) || self.main.is_none())
        }
    }

    fn is_main_jar(&self, place: &str) -> bool {
        let (Place::Jar(path), Some(jar)) = (Place::of(place), self.place.as_deref()) else {
            return false;
        };
        let jar = jar.trim_start_matches("./");
        path == jar
            || path
                .strip_suffix(jar)
                .is_some_and(|rest| rest.ends_with('/'))
    }

    /// Whether the package is of the house of the main class, or of a package that is surely the application's.
    fn is_related(&self, package: &str) -> bool {
        let main = self.main.as_deref().map(package_of);
        let mut known = main
            .into_iter()
            .chain(self.packages.iter().map(String::as_str));
        known.any(|own| are_related(package, own))
    }
}

fn own_if(own: bool) -> Whose {
    if own {
        Whose::Application
    } else {
        Whose::Library
    }
}

/// Classes of folders, and of what stands for them, are nobody else's.
fn is_certain(place: Option<&str>) -> bool {
    let place = place.map(Place::of);
    place.is_some_and(|place| matches!(place, Place::Folder(_)) || place.was_built())
}

fn is_generated(class: &str) -> bool {
    GENERATED.iter().any(|part| class.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Whose::{Application as Own, Generated, Library};

    fn of(command: &str, jar: Option<&MainJar>) -> Application {
        Application::started(&Started::of(command), jar)
    }

    fn check(application: &Application, expected: &[(&str, &str, Whose)]) {
        for &(class, place, whose) in expected {
            let place = Some(place).filter(|place| !place.is_empty());
            assert_eq!(
                application.whose(class, place),
                whose,
                "{class} of {place:?}"
            );
        }
    }

    #[test]
    fn a_main_class_in_a_folder_owns_the_folders_and_its_house() {
        let mut application = of("com.acme.feed.Feed missing", None);
        application.loaded("com.acme.feed.Feed", Some("file:/a/target/classes/"));
        let repository = "file:/r/io/x/core/3.1/core-3.1.jar";
        check(
            &application,
            &[
                ("com.acme.feed.Reading", "file:/a/target/classes/", Own),
                ("reactor.core.Mono", repository, Library),
                (
                    "com.acme.common.Text",
                    "file:/r/com/acme/common/1/common-1.jar",
                    Own,
                ),
                ("com.acme.feed.Made", "", Own),
                ("org.apache.jsp.Made", "", Library),
                ("com.acme.feed.Feed$$Lambda/0x1", "", Generated),
                ("java.util.List", "", Whose::Jdk),
            ],
        );
    }

    #[test]
    fn in_a_jar_with_libraries_the_package_tells() {
        let jar = MainJar {
            main: Some("com.acme.ledger.Ledger".to_owned()),
            start: None,
            holds_libraries: true,
        };
        let place = "file:/a/target/ledger.jar";
        let expected = [
            ("com.acme.ledger.model.Account", place, Own),
            ("com.acme.money.Rate", place, Own),
            ("picocli.CommandLine", place, Library),
            ("clojure.lang.Var", place, Library),
        ];
        let mut application = of("target/ledger.jar x.json", Some(&jar));
        application.loaded("com.acme.ledger.Ledger", Some(place));
        check(&application, &expected);
        let thin = MainJar {
            holds_libraries: false,
            ..jar
        };
        let application = of("target/ledger.jar", Some(&thin));
        check(&application, &[("model.Account", place, Own)]);
    }

    #[test]
    fn a_start_class_is_the_application_behind_its_launcher() {
        let jar = MainJar {
            main: Some("org.springframework.boot.loader.launch.JarLauncher".to_owned()),
            start: Some("com.acme.shop.ShopApplication".to_owned()),
            holds_libraries: true,
        };
        let nested = |name: &str| format!("jar:nested:/a/shop.jar/!BOOT-INF/{name}!/");
        let (own, spring, sibling) = (
            nested("classes/"),
            nested("lib/spring-core-6.jar"),
            nested("lib/pricing-1.jar"),
        );
        check(
            &of("/a/shop.jar", Some(&jar)),
            &[
                ("com.acme.shop.Shop", &own, Own),
                ("org.springframework.Core", &spring, Library),
                ("com.acme.pricing.Tier", &sibling, Own),
                (
                    "org.springframework.boot.loader.Launcher",
                    "file:/a/shop.jar",
                    Whose::Packaging,
                ),
                ("com.acme.shop.Shop$$SpringCGLIB$$0", &own, Generated),
            ],
        );
    }

    #[test]
    fn a_launcher_beside_libraries_owns_nothing_and_what_lies_elsewhere_is_the_application() {
        let jar = MainJar {
            main: Some("io.quarkus.bootstrap.runner.QuarkusEntryPoint".to_owned()),
            ..MainJar::default()
        };
        let mut application = of("/q/quarkus-run.jar", Some(&jar));
        let boot = "file:/q/lib/boot/runner.jar";
        application.loaded("io.quarkus.bootstrap.runner.QuarkusEntryPoint", Some(boot));
        check(
            &application,
            &[
                ("org.acme.Warehouse", "file:/q/app/stock.jar", Own),
                ("io.quarkus.arc.Arc", "file:/q/lib/main/arc.jar", Library),
                ("io.quarkus.bootstrap.runner.Loader", boot, Library),
                (
                    "org.acme.Warehouse_ClientProxy",
                    "file:/q/quarkus/generated-bytecode.jar",
                    Whose::Packaging,
                ),
            ],
        );
    }

    #[test]
    fn of_a_build_tools_worker_the_application_lies_in_folders() {
        let mut application = of(
            "/tmp/surefire/surefirebooter1.jar x",
            Some(&MainJar::default()),
        );
        let surefire = "file:/home/a/.m2/repository/org/s/booter/3/booter-3.jar";
        application.main = Some("org.s.ForkedBooter".to_owned());
        application.loaded("org.s.ForkedBooter", Some(surefire));
        application.loaded("com.acme.RouteTest", Some("file:/m/a/target/test-classes/"));
        check(
            &application,
            &[
                ("com.acme.Route", "file:/m/a/target/classes/", Own),
                ("com.acme.core.Grid", "file:/m/core/target/core-1.jar", Own),
                ("org.s.Provider", surefire, Library),
                ("org.testng.TestNG", "file:/m/lib/testng.jar", Library),
            ],
        );
        assert_eq!(application.packages, ["com.acme"]);
    }

    #[test]
    fn of_a_language_that_compiles_as_it_runs_the_runtime_is_a_library() {
        let mut application = of("clojure.main -m app.core", None);
        let clojure = "file:/home/a/.m2/repository/org/clojure/clojure/1.11/clojure-1.11.jar";
        application.loaded("clojure.main", Some(clojure));
        check(
            &application,
            &[
                ("app.core$total", "", Own),
                ("clojure.core$map$fn__5935", clojure, Library),
                ("clojure.lang.AFn", "", Library),
                ("Script1", "file:/groovy/shell", Own),
            ],
        );
    }
}
