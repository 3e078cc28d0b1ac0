//! A synthetic manifest.

use recrash_heap::Value;
use recrash_heap::manifest::{
    Argument, CapturedFrame, Cause, Environment, FORMAT, FrameInfo, FramePlace, Manifest,
    ThreadInfo, TraceElement,
};

/// A manifest with one static frame whose arguments are `values`.
pub fn manifest(values: &[Value]) -> Manifest {
    let arguments = values
        .iter()
        .map(|value| Argument {
            name: None,
            descriptor: "Ljava/lang/Object;".into(),
            value: *value,
        })
        .collect();
    let element = TraceElement {
        class: "RoundTrip".into(),
        method: "check".into(),
        file: None,
        line: 1,
        module: None,
    };
    Manifest {
        format: FORMAT,
        cause: Cause::Crash,
        recrash: "0".into(),
        label: None,
        session: None,
        strategy: "auto".into(),
        captured_at: 0,
        fingerprint: "0".into(),
        throwables: vec![],
        thread: ThreadInfo {
            name: "main".into(),
            id: 1,
            daemon: false,
            is_virtual: false,
        },
        frames: vec![FrameInfo {
            throwable: 0,
            element,
            captured: Some(CapturedFrame {
                descriptor: "()V".into(),
                access: 8,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments,
                patches: vec![],
                back_to: None,
                reads: vec![],
                class_hash: None,
                source: None,
                entry: None,
            }),
        }],
        frames_total: 1,
        application: None,
        statics: vec![],
        thread_locals: vec![],
        environment: Environment {
            java_home: String::new(),
            java_version: String::new(),
            class_path: vec![],
            module_path: vec![],
            jvm_arguments: vec![],
            working_directory: String::new(),
            locale: "en".into(),
            time_zone: "UTC".into(),
            charset: "UTF-8".into(),
            system_properties: vec![],
        },
        limits: vec![],
        unwoven: vec![],
        shrunk: None,
        privacy: None,
    }
}
