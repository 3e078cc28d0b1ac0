//! A snapshot as JSON, whole: the manifest as it is stored and every object of the heap.
//!
//! The document is `{"schema": 1, "manifest": {…}, "objects": [{…}, …]}`. Values are the manifest's own
//! (`"null"`, `{"ref": 7}`, `{"int": 3}`, `{"double-bits": …}`); an object has `id`, `class`, `kind` and what its
//! kind calls for. Keys are only ever added within one schema version.

use recrash_heap::manifest::Value;
use recrash_heap::{Field, Kind, Object, Snapshot};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The version in the document's `schema` key.
pub const JSON_SCHEMA_VERSION: u32 = 1;

/// Writes the document, one object per line so that a large heap never stands in memory twice.
pub fn json(snapshot: &Snapshot, out: &mut dyn Write) -> io::Result<()> {
    let manifest = serde_json::to_string(&snapshot.manifest)?;
    write!(
        out,
        "{{\"schema\":{JSON_SCHEMA_VERSION},\n\"manifest\":{manifest},\n\"objects\":["
    )?;
    for (index, object) in snapshot.heap.objects().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(out, "{separator}\n{}", object_json(&object))?;
    }
    writeln!(out, "\n]}}")
}

fn object_json(object: &Object<'_>) -> Json {
    let mut map = Map::new();
    map.insert("id".into(), json!(object.id));
    map.insert("class".into(), json!(object.class));
    if let Some(hash) = object.identity_hash {
        map.insert("identity_hash".into(), json!(hash));
    }
    let (kind, rest) = kind_json(&object.kind);
    map.insert("kind".into(), json!(kind));
    if let Json::Object(rest) = rest {
        map.extend(rest);
    }
    Json::Object(map)
}

fn kind_json(kind: &Kind<'_>) -> (&'static str, Json) {
    match kind {
        Kind::Instance { fields } => ("instance", json!({"fields": fields_json(fields)})),
        Kind::Lambda { lambda, fields } => (
            "lambda",
            json!({
                "fields": fields_json(fields),
                "host": lambda.host,
                "interfaces": lambda.interfaces,
                "owner": lambda.owner,
                "method": lambda.name,
                "descriptor": lambda.descriptor,
            }),
        ),
        Kind::Proxy { interfaces, fields } => (
            "proxy",
            json!({"interfaces": interfaces, "fields": fields_json(fields)}),
        ),
        Kind::Array {
            component,
            elements,
        } => (
            "array",
            json!({"component": component, "elements": elements}),
        ),
        Kind::String(text) => {
            let units: Vec<u16> = text.units().collect();
            match String::from_utf16(&units) {
                Ok(text) => ("string", json!({"text": text})),
                // Unpaired surrogates have no JSON form; the units are exact.
                Err(_) => ("string", json!({"text": text.to_string(), "utf16": units})),
            }
        }
        Kind::Boxed(value) => ("boxed", json!({"value": value_json(*value)})),
        Kind::Enum { constant, fields } => (
            "enum",
            json!({"constant": constant, "fields": fields_json(fields)}),
        ),
        Kind::Class { name } => ("class", json!({"name": name})),
        Kind::WellKnown { class, field } => ("well-known", json!({"owner": class, "field": field})),
        Kind::StandIn { reason, text } => {
            ("stand-in", json!({"reason": reason.as_str(), "text": text}))
        }
        Kind::Member {
            owner,
            name,
            descriptor,
            ..
        } => (
            "member",
            json!({"owner": owner, "name": name, "descriptor": descriptor}),
        ),
        Kind::Cut => ("cut", json!({})),
    }
}

fn fields_json(fields: &[Field<'_>]) -> Vec<Json> {
    fields
        .iter()
        .map(|field| {
            json!({
                "declared_in": field.declared_in,
                "name": field.name,
                "descriptor": field.descriptor,
                "value": value_json(field.value),
            })
        })
        .collect()
}

fn value_json(value: Value) -> Json {
    json!(value)
}
