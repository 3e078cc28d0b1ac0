//! What a Maven project file says its artifact needs.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::Event;

const DEPENDENCY: [&str; 3] = ["project", "dependencies", "dependency"];
const PROPERTIES: [&str; 2] = ["project", "properties"];

/// An artifact that another one needs. What the file does not say is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    pub group: String,
    pub artifact: String,
    pub version: String,
    pub scope: String,
    pub optional: bool,
}

/// The direct dependencies of a project file. One that is broken tells what stands before the defect.
pub fn dependencies(pom: &str) -> Vec<Dependency> {
    let mut reader = Reader::from_str(pom);
    let mut path: Vec<String> = Vec::new();
    let mut cells: HashMap<String, String> = HashMap::new();
    let mut properties: HashMap<String, String> = HashMap::new();
    let mut found = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                path.push(String::from_utf8_lossy(start.local_name().as_ref()).into_owned());
            }
            Ok(Event::Text(text)) => {
                let Some((name, around)) = path.split_last() else {
                    continue;
                };
                let text = String::from_utf8_lossy(&text).trim().to_owned();
                if around == DEPENDENCY {
                    cells.insert(name.clone(), text);
                } else if around == PROPERTIES {
                    properties.insert(name.clone(), text);
                }
            }
            Ok(Event::End(_)) => {
                if path == DEPENDENCY {
                    found.push(std::mem::take(&mut cells));
                }
                path.pop();
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    // Properties may stand behind what uses them.
    let dependency = |cells: HashMap<String, String>| {
        let cell = |name: &str| cells.get(name).map_or("", String::as_str);
        let value = |name: &str| {
            let property = cell(name)
                .strip_prefix("${")
                .and_then(|name| name.strip_suffix('}'))
                .and_then(|name| properties.get(name));
            property.map_or(cell(name), String::as_str).to_owned()
        };
        Dependency {
            group: value("groupId"),
            artifact: value("artifactId"),
            version: value("version"),
            scope: value("scope"),
            optional: cell("optional") == "true",
        }
    };
    found.into_iter().map(dependency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_projects_own_dependencies_count() {
        let pom = "<project><dependencyManagement><dependencies><dependency><artifactId>managed</artifactId>\
                   </dependency></dependencies></dependencyManagement><dependencies><dependency><groupId>g</groupId>\
                   <artifactId>a</artifactId><version>${a.version}</version><exclusions><exclusion><artifactId>x\
                   </artifactId></exclusion></exclusions><optional> true </optional></dependency></dependencies>\
                   <properties><a.version>1.2</a.version></properties></project>";
        let expected = Dependency {
            group: "g".to_owned(),
            artifact: "a".to_owned(),
            version: "1.2".to_owned(),
            scope: String::new(),
            optional: true,
        };
        assert_eq!(dependencies(pom), [expected]);
    }
}
