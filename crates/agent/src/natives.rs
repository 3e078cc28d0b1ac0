//! The native methods of `java.lang.$RecrashAgent`, found by their names: the JVM looks in agent libraries for natives of
//! boot classes, while registering them by hand makes it print warnings. Not so while a program loads the library: then
//! they are not found, and may be registered.

use crate::agent::{self, Agent};
use crate::jvm::{Jni, guarded};
use crate::{failure, give_way, loaded, log, named, values};
use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jobject};
use recrash_weave::{FieldName, Place, SavedField, Site};
use recrash_wire::frame::{self, Kind, Part};
use recrash_wire::recording::chunk;
use std::ffi::{CStr, c_void};
use std::ptr;

/// Names and descriptors.
const METHODS: [(&CStr, &CStr, *mut c_void); 28] = [
    (
        c"begin",
        c"(Z)Z",
        Java_java_lang__00024RecrashAgent_begin as *mut c_void,
    ),
    (
        c"end",
        c"()V",
        Java_java_lang__00024RecrashAgent_end as *mut c_void,
    ),
    (
        c"expect",
        c"()Z",
        Java_java_lang__00024RecrashAgent_expect as *mut c_void,
    ),
    (
        c"beginExpected",
        c"()Z",
        Java_java_lang__00024RecrashAgent_beginExpected as *mut c_void,
    ),
    (
        c"hearsLibraries",
        c"()Z",
        Java_java_lang__00024RecrashAgent_hearsLibraries as *mut c_void,
    ),
    (
        c"isOwn",
        c"(I)Z",
        Java_java_lang__00024RecrashAgent_isOwn as *mut c_void,
    ),
    (
        c"wanted",
        c"([B)[Ljava/lang/String;",
        Java_java_lang__00024RecrashAgent_wanted as *mut c_void,
    ),
    (
        c"store",
        c"([B[[B)V",
        Java_java_lang__00024RecrashAgent_store as *mut c_void,
    ),
    (
        c"classes",
        c"([I[Ljava/lang/String;)[[Ljava/lang/Class;",
        Java_java_lang__00024RecrashAgent_classes as *mut c_void,
    ),
    (
        c"layouts",
        c"([Ljava/lang/String;)[Ljava/lang/String;",
        Java_java_lang__00024RecrashAgent_layouts as *mut c_void,
    ),
    (
        c"declaring",
        c"(ILjava/lang/Class;)Ljava/lang/Class;",
        Java_java_lang__00024RecrashAgent_declaring as *mut c_void,
    ),
    (
        c"place",
        c"(I)[Ljava/lang/String;",
        Java_java_lang__00024RecrashAgent_place as *mut c_void,
    ),
    (
        c"isNewPoint",
        c"(J)Z",
        Java_java_lang__00024RecrashAgent_isNewPoint as *mut c_void,
    ),
    (
        c"namesType",
        c"(Ljava/lang/String;)Z",
        Java_java_lang__00024RecrashAgent_namesType as *mut c_void,
    ),
    (
        c"owns",
        c"(Ljava/lang/String;)Z",
        Java_java_lang__00024RecrashAgent_owns as *mut c_void,
    ),
    (
        c"namesSite",
        c"(I)Z",
        Java_java_lang__00024RecrashAgent_namesSite as *mut c_void,
    ),
    (
        c"makeObjects",
        c"()V",
        Java_java_lang__00024RecrashAgent_makeObjects as *mut c_void,
    ),
    (
        c"trace",
        c"(Ljava/lang/Throwable;)[Ljava/lang/StackTraceElement;",
        Java_java_lang__00024RecrashAgent_trace as *mut c_void,
    ),
    (
        c"legacyCause",
        c"(Ljava/lang/Throwable;)Ljava/lang/Throwable;",
        Java_java_lang__00024RecrashAgent_legacyCause as *mut c_void,
    ),
    (
        c"fields",
        c"(Ljava/lang/Class;)[Ljava/lang/String;",
        Java_java_lang__00024RecrashAgent_fields as *mut c_void,
    ),
    (
        c"writes",
        c"()V",
        Java_java_lang__00024RecrashAgent_writes as *mut c_void,
    ),
    (
        c"isLate",
        c"(Ljava/lang/String;)Z",
        Java_java_lang__00024RecrashAgent_isLate as *mut c_void,
    ),
    (
        c"isLateStatic",
        c"(I)Z",
        Java_java_lang__00024RecrashAgent_isLateStatic as *mut c_void,
    ),
    (
        c"say",
        c"(Ljava/lang/String;)V",
        Java_java_lang__00024RecrashAgent_say as *mut c_void,
    ),
    (
        c"record",
        c"(I[B)Z",
        Java_java_lang__00024RecrashAgent_record as *mut c_void,
    ),
    (
        c"isOutside",
        c"(Ljava/lang/String;)Z",
        Java_java_lang__00024RecrashAgent_isOutside as *mut c_void,
    ),
    (
        c"isSecret",
        c"(Ljava/lang/String;)Z",
        Java_java_lang__00024RecrashAgent_isSecret as *mut c_void,
    ),
    (
        c"secrets",
        c"()[Ljava/lang/String;",
        Java_java_lang__00024RecrashAgent_secrets as *mut c_void,
    ),
];

/// Tells the JVM where the methods are, in a library that is not an agent's; false when it does not listen.
pub fn register(jni: Jni) -> bool {
    jni.find_class("java/lang/$RecrashAgent")
        .is_some_and(|class| jni.register(class, &METHODS))
}

fn with<R: Default>(env: *mut JNIEnv, body: impl FnOnce(&'static Agent, Jni) -> R) -> R {
    guarded(|| match (agent::get(), Jni::new(env)) {
        (Some(agent), Some(jni)) => body(agent, jni),
        _ => R::default(),
    })
}

/// As `with`, for functions that return an object or null.
fn object(env: *mut JNIEnv, body: impl FnOnce(&Agent, Jni) -> Option<jobject>) -> jobject {
    with(env, |agent, jni| body(agent, jni).map(Returned))
        .map_or(ptr::null_mut(), |returned| returned.0)
}

struct Returned(jobject);

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_begin(
    env: *mut JNIEnv,
    _: jclass,
    patient: jboolean,
) -> jboolean {
    with(env, |agent, _| agent.captures.begin(patient != 0)).into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_end(env: *mut JNIEnv, _: jclass) {
    with(env, |agent, _| agent.captures.end());
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_expect(
    env: *mut JNIEnv,
    _: jclass,
) -> jboolean {
    with(env, |agent, _| agent.captures.expect()).into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_beginExpected(
    env: *mut JNIEnv,
    _: jclass,
) -> jboolean {
    with(env, |agent, _| agent.captures.begin_expected()).into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_hearsLibraries(
    env: *mut JNIEnv,
    _: jclass,
) -> jboolean {
    with(env, |agent, _| {
        !agent.options.include.is_empty() || !agent.own.knows_some()
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isOwn(
    env: *mut JNIEnv,
    _: jclass,
    site: i32,
) -> jboolean {
    with(env, |agent, _| {
        let site = agent.sites.get(site as u32);
        site.is_some_and(|(_, site)| agent.own.owns(&site.class))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_wanted(
    env: *mut JNIEnv,
    _: jclass,
    description: jobject,
) -> jobject {
    object(env, |agent, jni| {
        let reads = failure::wanted(agent, jni, &jni.bytes(description)?)?;
        let reads: Vec<jobject> = reads.iter().filter_map(|read| jni.new_text(read)).collect();
        jni.new_array(jni.find_class("java/lang/String")?, &reads)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_store(
    env: *mut JNIEnv,
    _: jclass,
    values: jobject,
    heap: jobject,
) {
    with(env, |agent, jni| {
        let heap: Vec<Vec<u8>> = jni
            .elements(heap)
            .into_iter()
            .filter_map(|piece| jni.bytes(piece))
            .collect();
        if let Some(values) = jni.bytes(values) {
            failure::store(agent, jni, values, heap);
        }
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_classes(
    env: *mut JNIEnv,
    _: jclass,
    sites: jobject,
    fields: jobject,
) -> jobject {
    object(env, |agent, jni| {
        let names: Vec<Option<String>> = jni
            .ints(sites)?
            .into_iter()
            .map(|site| Some(agent.sites.get(site as u32)?.1.class))
            .collect();
        let fields: Vec<String> = jni
            .elements(fields)
            .into_iter()
            .filter_map(|field| jni.text(field))
            .collect();
        let found = loaded::known_classes(agent, jni, &names, &fields);
        let class = jni.find_class("java/lang/Class")?;
        let arrays = [found.of_sites, found.initialised, found.own];
        let arrays = arrays.map(|classes| jni.new_array(class, &classes));
        let [Some(of_sites), Some(initialised), Some(own)] = arrays else {
            return None;
        };
        jni.new_array(
            jni.find_class("[Ljava/lang/Class;")?,
            &[of_sites, initialised, own],
        )
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_layouts(
    env: *mut JNIEnv,
    _: jclass,
    methods: jobject,
) -> jobject {
    object(env, |agent, jni| {
        let layouts: Vec<jobject> = jni
            .elements(methods)
            .into_iter()
            .map(|method| {
                let layout = jni.text(method).and_then(|text| {
                    let mut parts = text.split('\t');
                    let (class, method, descriptor) = (parts.next()?, parts.next()?, parts.next()?);
                    let locals = parts.next()?.parse().ok()?;
                    let place = match parts.next() {
                        Some(_) => Place::InsideSuper,
                        None => Place::Body,
                    };
                    let site = agent.sites.find(class, method, descriptor, place, locals)?;
                    jni.new_text(&layout(&site))
                });
                jni.release(method);
                layout.unwrap_or(ptr::null_mut())
            })
            .collect();
        jni.new_array(jni.find_class("java/lang/String")?, &layouts)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_declaring(
    env: *mut JNIEnv,
    _: jclass,
    number: i32,
    of: jclass,
) -> jobject {
    object(env, |agent, jni| {
        let field = agent.sites.field(number as u32)?;
        let declaring = declaring(agent, jni, &field, of);
        if declaring.is_none() {
            agent.sites.note_missing(field);
        }
        declaring
    })
}

/// The class that declares the field, above the class of an object that has it.
fn declaring(agent: &Agent, jni: Jni, field: &FieldName, of: jclass) -> Option<jclass> {
    let owner = field.class.replace('.', "/");
    let mut class = of;
    while agent.jvmti.class_name(class).as_ref() != Some(&owner) {
        class = jni.superclass(class)?;
    }
    // The code may name a sub class of the one that declares the field (JVMS 5.4.3.2).
    loop {
        let mut named = agent.jvmti.fields(class);
        named.retain(|found| found.name == field.field);
        match named.as_slice() {
            [] => class = jni.superclass(class)?,
            [found] if found.descriptor == field.descriptor && !found.is_static => {
                return Some(class);
            }
            // Obfuscators give several fields one name.
            _ => return None,
        }
    }
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_place(
    env: *mut JNIEnv,
    _: jclass,
    number: i32,
) -> jobject {
    object(env, |agent, jni| {
        let field = agent.sites.field(number as u32)?;
        let parts = [field.class, field.field, field.descriptor];
        let parts = parts.iter().map(|part| jni.new_text(part));
        let parts: Vec<jobject> = parts.collect::<Option<_>>()?;
        jni.new_array(jni.find_class("java/lang/String")?, &parts)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isNewPoint(
    env: *mut JNIEnv,
    _: jclass,
    way: i64,
) -> jboolean {
    with(env, |agent, _| agent.captures.is_new_point(way)).into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_namesType(
    env: *mut JNIEnv,
    _: jclass,
    class: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let class = jni.text(class);
        class.is_some_and(|class| named::is_type(&agent.options.on, &class))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_owns(
    env: *mut JNIEnv,
    _: jclass,
    class: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let class = jni.text(class);
        class.is_some_and(|class| agent.own.owns(&class))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_namesSite(
    env: *mut JNIEnv,
    _: jclass,
    site: i32,
) -> jboolean {
    with(env, |agent, _| {
        let site = agent.sites.get(site as u32);
        site.is_some_and(|(_, site)| named::is_place(&agent.options.on, &site.class, &site.method))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_makeObjects(env: *mut JNIEnv, _: jclass) {
    with(env, |agent, _| agent.jvmti.make_objects());
}

/// Where each value of a frame is, for the runtime.
fn layout(site: &Site) -> String {
    let kinds = values::order(site, false).parts().map(|part| {
        let field = |saved: Option<&SavedField>| {
            saved.map_or(Kind::Int, |saved| {
                Kind::of_descriptor(&saved.field.descriptor)
            })
        };
        match part {
            Part::Journal => Kind::Journal,
            Part::Receiver | Part::Holder(_) | Part::Copy => Kind::Reference,
            Part::Parameter(number) => site.parameters.get(number).map_or(Kind::Int, |parameter| {
                Kind::of_descriptor(&parameter.descriptor)
            }),
            Part::Saved(number) => field(site.saved.get(number)),
            Part::Far(number) => field(site.far.get(number)),
            Part::Cursor(_) => Kind::Long,
            Part::Mark | Part::Entry => Kind::Int,
        }
    });
    frame::write(site.id, kinds.zip(site.slots.iter().copied()))
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_trace(
    env: *mut JNIEnv,
    _: jclass,
    throwable: jobject,
) -> jobject {
    object(env, |_, jni| {
        let class = jni.find_class("java/lang/Throwable")?;
        jni.call_exactly(
            throwable,
            class,
            c"getStackTrace",
            c"()[Ljava/lang/StackTraceElement;",
        )
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_legacyCause(
    env: *mut JNIEnv,
    _: jclass,
    throwable: jobject,
) -> jobject {
    object(env, |agent, jni| {
        let top = jni.find_class("java/lang/Throwable")?;
        let mut class = jni.class_of(throwable)?;
        while !jni.same(class, top) {
            // Its `next` is one more failure of the same call, not what caused this one.
            if agent.jvmti.class_signature(class).as_deref() == Some("Ljava/sql/SQLException;") {
                return None;
            }
            for field in agent.jvmti.reference_fields(class) {
                let Some(value) = jni.object_field(throwable, field) else {
                    continue;
                };
                if jni.is_instance(value, top) && !jni.same(value, throwable) {
                    return Some(value);
                }
                jni.release(value);
            }
            class = jni.superclass(class)?;
        }
        None
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_fields(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
) -> jobject {
    object(env, |agent, jni| {
        let fields = agent.jvmti.fields(class);
        let mut parts = Vec::with_capacity(3 * fields.len());
        jni.expect_references(parts.capacity() as i32 + 2);
        for field in fields {
            let kind = match (field.is_static, field.is_final) {
                (true, _) => "static",
                (false, true) => "final",
                (false, false) => "",
            };
            for part in [&field.name, &field.descriptor, kind] {
                parts.push(jni.new_text(part)?);
            }
        }
        jni.new_array(jni.find_class("java/lang/String")?, &parts)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_writes(env: *mut JNIEnv, _: jclass) {
    with(env, give_way::meet);
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isLate(
    env: *mut JNIEnv,
    _: jclass,
    class: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let name = jni.text(class);
        name.is_some_and(|name| agent.hot.is_late(&name.replace('.', "/")))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isLateStatic(
    env: *mut JNIEnv,
    _: jclass,
    number: i32,
) -> jboolean {
    with(env, |agent, _| {
        let field = agent.sites.field(number as u32);
        field.is_some_and(|field| agent.hot.is_late_static(&field))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_say(
    env: *mut JNIEnv,
    _: jclass,
    message: jobject,
) {
    guarded(|| {
        if let Some(message) = Jni::new(env).and_then(|jni| jni.text(message)) {
            log::say(&message);
        }
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_record(
    env: *mut JNIEnv,
    _: jclass,
    kind: i32,
    content: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let recording = agent.recording.get();
        let content = jni.bytes(content);
        recording.zip(content).is_some_and(|(recording, content)| {
            let kind = kind as u8;
            let redacted = (kind == chunk::DEFINITIONS)
                .then(|| agent.privacy.definitions(&content))
                .flatten();
            recording.append(kind, redacted.as_deref().unwrap_or(&content))
        })
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isOutside(
    env: *mut JNIEnv,
    _: jclass,
    class: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let name = jni.text(class);
        let recording = agent.recording.get();
        recording
            .zip(name)
            .is_some_and(|(recording, name)| recording.sides.is_outside(&name))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_isSecret(
    env: *mut JNIEnv,
    _: jclass,
    name: jobject,
) -> jboolean {
    with(env, |agent, jni| {
        let name = jni.text(name);
        name.is_some_and(|name| agent.privacy.is_secret_name(&name))
    })
    .into()
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang__00024RecrashAgent_secrets(
    env: *mut JNIEnv,
    _: jclass,
) -> jobject {
    object(env, |agent, jni| {
        let secrets = agent.privacy.secret_variables();
        let secrets = secrets.iter().filter_map(|secret| jni.new_text(secret));
        let secrets: Vec<jobject> = secrets.collect();
        jni.new_array(jni.find_class("java/lang/String")?, &secrets)
    })
}
