//! Readers and writers of messages in Java, over `DataInputStream` and `DataOutputStream`.
//!
//! They are compiled to Java 8 and use one class by hand, `recrash.wire.Data`, for texts and bytes.

use super::{Source, header};
use crate::record::{Alternative, Java, Shape};
use std::fmt::Write as _;

const PACKAGE: &str = "recrash.wire";

/// A class with the fields of a record, which reads and writes itself.
pub(super) fn record(shape: &Shape) -> Source {
    let name = shape.name;
    let mut text = opening(
        shape.about,
        name,
        &["java.io.DataInputStream", "java.io.DataOutputStream"],
    );
    fields(&mut text, "", shape);
    constructor(&mut text, "", name, shape);
    reading(&mut text, "", name, shape);
    text.push_str("\n    public void write(DataOutputStream out) throws IOException {\n");
    for (field, java) in shape.fields {
        write(&mut text, &camel(field), java, 2);
    }
    text.push_str("    }\n}\n");
    source(name, text)
}

/// A class that writes the records of a choice, a method for each.
pub(super) fn written(name: &str, about: &str, alternatives: &[Alternative]) -> Source {
    let mut text = opening(about, name, &["java.io.DataOutputStream"]);
    codes(&mut text, alternatives);
    let _ = writeln!(text, "\n    private {name}() {{}}");
    for Alternative { shape, .. } in alternatives {
        let parameters: Vec<String> = shape
            .fields
            .iter()
            .map(|(field, java)| format!(", {} {}", ty(java), camel(field)))
            .collect();
        let _ = write!(
            text,
            "\n    /**{} */\n    public static void {}(DataOutputStream out{}) throws IOException {{\n        out.writeByte({});\n",
            shape.about,
            lower(shape.name),
            parameters.concat(),
            upper(shape.name)
        );
        for (field, java) in shape.fields {
            write(&mut text, &camel(field), java, 2);
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n");
    source(name, text)
}

/// A class with the codes of a choice and, inside, a class that reads each of its records that has fields.
pub(super) fn read(name: &str, about: &str, alternatives: &[Alternative]) -> Source {
    let mut text = opening(about, name, &["java.io.DataInputStream"]);
    codes(&mut text, alternatives);
    let _ = writeln!(text, "\n    private {name}() {{}}");
    for Alternative { shape, .. } in alternatives {
        if shape.fields.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n    /**{} */\n    public static final class {} {{\n",
            shape.about, shape.name
        );
        fields(&mut text, "    ", shape);
        constructor(&mut text, "    ", shape.name, shape);
        reading(&mut text, "    ", shape.name, shape);
        text.push_str("    }\n");
    }
    text.push_str("}\n");
    source(name, text)
}

/// A class of numbers.
pub(super) fn numbers(name: &str, about: &str, numbers: &[(&str, i32)]) -> Source {
    let mut text = format!(
        "{}/** {about} */\npublic final class {name} {{\n",
        header(PACKAGE)
    );
    for (number, value) in numbers {
        let _ = writeln!(text, "    public static final int {number} = {value};");
    }
    let _ = write!(text, "\n    private {name}() {{}}\n}}\n");
    source(name, text)
}

fn source(name: &str, text: String) -> Source {
    (format!("{}/{name}.java", PACKAGE.replace('.', "/")), text)
}

fn opening(about: &str, name: &str, imports: &[&str]) -> String {
    let imports: Vec<String> = imports
        .iter()
        .chain(&["java.io.IOException"])
        .map(|class| format!("import {class};\n"))
        .collect();
    format!(
        "{}{}\n/**{about} */\npublic final class {name} {{\n",
        header(PACKAGE),
        imports.concat()
    )
}

fn codes(text: &mut String, alternatives: &[Alternative]) {
    for Alternative { code, shape } in alternatives {
        let _ = writeln!(
            text,
            "    public static final int {} = {code};",
            upper(shape.name)
        );
    }
}

fn fields(text: &mut String, indent: &str, shape: &Shape) {
    for (field, java) in shape.fields {
        let _ = writeln!(
            text,
            "{indent}    public final {} {};",
            ty(java),
            camel(field)
        );
    }
}

fn constructor(text: &mut String, indent: &str, name: &str, shape: &Shape) {
    let parameters: Vec<String> = shape
        .fields
        .iter()
        .map(|(field, java)| format!("{} {}", ty(java), camel(field)))
        .collect();
    let _ = writeln!(
        text,
        "\n{indent}    public {name}({}) {{",
        parameters.join(", ")
    );
    for (field, _) in shape.fields {
        let field = camel(field);
        let _ = writeln!(text, "{indent}        this.{field} = {field};");
    }
    let _ = writeln!(text, "{indent}    }}");
}

fn reading(text: &mut String, indent: &str, name: &str, shape: &Shape) {
    let _ = writeln!(
        text,
        "\n{indent}    public static {name} read(DataInputStream in) throws IOException {{"
    );
    let mut names = Vec::new();
    for (field, java) in shape.fields {
        let field = camel(field);
        if let Java::List(item) = java {
            let name = ty(item);
            // Of several dimensions the first has the length.
            let (element, more) = name
                .find('[')
                .and_then(|at| name.split_at_checked(at))
                .unwrap_or((&name, ""));
            let _ = writeln!(
                text,
                "{indent}        {name}[] {field} = new {element}[in.readInt()]{more};\n\
                 {indent}        for (int i = 0; i < {field}.length; i++) {{\n\
                 {indent}            {field}[i] = {};\n\
                 {indent}        }}",
                expression(item)
            );
        } else {
            let _ = writeln!(
                text,
                "{indent}        {} {field} = {};",
                ty(java),
                expression(java)
            );
        }
        names.push(field);
    }
    let _ = writeln!(
        text,
        "{indent}        return new {name}({});\n{indent}    }}",
        names.join(", ")
    );
}

fn write(text: &mut String, field: &str, java: &Java, depth: usize) {
    let indent = "    ".repeat(depth);
    if let Java::List(item) = java {
        let _ = writeln!(
            text,
            "{indent}out.writeInt({field}.length);\n{indent}for ({} each : {field}) {{",
            ty(item)
        );
        write(text, "each", item, depth + 1);
        let _ = writeln!(text, "{indent}}}");
        return;
    }
    let statement = match java {
        Java::Boolean => format!("out.writeBoolean({field})"),
        Java::Byte => format!("out.writeByte({field})"),
        Java::Short => format!("out.writeShort({field})"),
        Java::Int => format!("out.writeInt({field})"),
        Java::Long => format!("out.writeLong({field})"),
        Java::Float => format!("out.writeFloat({field})"),
        Java::Double => format!("out.writeDouble({field})"),
        Java::Text => format!("Data.text(out, {field})"),
        Java::Bytes | Java::Choice(_) | Java::List(_) => format!("Data.bytes(out, {field})"),
        Java::Record(_) => format!("{field}.write(out)"),
    };
    let _ = writeln!(text, "{indent}{statement};");
}

fn expression(java: &Java) -> String {
    match java {
        Java::Boolean => "in.readBoolean()".to_owned(),
        Java::Byte => "in.readUnsignedByte()".to_owned(),
        Java::Short => "in.readUnsignedShort()".to_owned(),
        Java::Int => "in.readInt()".to_owned(),
        Java::Long => "in.readLong()".to_owned(),
        Java::Float => "in.readFloat()".to_owned(),
        Java::Double => "in.readDouble()".to_owned(),
        Java::Text => "Data.text(in)".to_owned(),
        Java::Bytes | Java::Choice(_) | Java::List(_) => "Data.bytes(in)".to_owned(),
        Java::Record(shape) => format!("{}.read(in)", shape.name),
    }
}

fn ty(java: &Java) -> String {
    match java {
        Java::Boolean => "boolean".to_owned(),
        Java::Byte | Java::Short | Java::Int => "int".to_owned(),
        Java::Long => "long".to_owned(),
        Java::Float => "float".to_owned(),
        Java::Double => "double".to_owned(),
        Java::Text => "String".to_owned(),
        Java::Bytes | Java::Choice(_) => "byte[]".to_owned(),
        Java::List(item) => format!("{}[]", ty(item)),
        Java::Record(shape) => shape.name.to_owned(),
    }
}

/// `class_name` as Java writes it, `className`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capital(word))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `NotRestored` as a method, `notRestored`.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// `NotRestored` as a constant, `NOT_RESTORED`.
fn upper(name: &str) -> String {
    let mut upper = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !upper.is_empty() {
            upper.push('_');
        }
        upper.push(letter.to_ascii_uppercase());
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Wire;
    use crate::worker::{Answer, Thrown};

    #[test]
    fn a_record_reads_and_writes_its_fields_in_the_order_of_their_declaration() {
        let Java::Record(shape) = Thrown::JAVA else {
            panic!("a record")
        };
        let (path, text) = record(shape);
        assert_eq!(path, "recrash/wire/Thrown.java");
        let read = text.find("Data.text(in)").unwrap();
        assert!(read < text.find("in.readBoolean()").unwrap(), "{text}");
        assert!(text.contains("public final TraceLine[] trace;"), "{text}");
        assert!(text.contains("out.writeInt(trace.length);"), "{text}");
    }

    #[test]
    fn each_record_of_a_choice_has_a_method_that_writes_it() {
        let (_, text) = written("Answer", " About.", Answer::ALTERNATIVES);
        assert!(text.contains("NOT_RESTORED = 3;"), "{text}");
        assert!(
            text.contains("void notRestored(DataOutputStream out, String reason, boolean restart, String output)"),
            "{text}"
        );
    }
}
