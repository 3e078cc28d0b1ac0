//! JVMTI: what a tool can do.

use super::tables::environment;
use jvmti_bindings::sys::jni::{JavaVM, jclass, jfieldID, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_VERSION_1_2, JVMTI_VISIT_ABORT, jvmtiCapabilities, jvmtiEnv, jvmtiError, jvmtiEvent,
    jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiHeapCallbacks, jvmtiHeapReferenceInfo,
    jvmtiHeapReferenceKind, jvmtiInterface_1_, jvmtiStackInfo,
};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// A JVMTI environment of our own.
#[derive(Clone, Copy)]
pub struct Jvmti {
    env: *mut jvmtiEnv,
}

// SAFETY: a JVMTI environment may be used from every thread (JVMTI specification, "Environments").
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

impl Jvmti {
    pub fn new(vm: *mut JavaVM) -> Option<Self> {
        Some(Self {
            env: environment(vm, JVMTI_VERSION_1_2)?.cast(),
        })
    }

    fn table(&self) -> &jvmtiInterface_1_ {
        // SAFETY: a jvmtiEnv starts with the pointer to its function table, which lives as long as the JVM.
        unsafe { &*(*self.env).functions }
    }

    pub fn add_capabilities(self, capabilities: &jvmtiCapabilities) -> bool {
        // SAFETY: a complete capabilities structure, read during the call.
        self.table()
            .AddCapabilities
            .is_some_and(|add| unsafe { add(self.env, capabilities) } == jvmtiError::NONE)
    }

    pub fn set_callbacks(self, callbacks: &jvmtiEventCallbacks) -> bool {
        let size = size_of::<jvmtiEventCallbacks>() as i32;
        // SAFETY: the table is copied by the JVM during the call.
        self.table()
            .SetEventCallbacks
            .is_some_and(|set| unsafe { set(self.env, callbacks, size) } == jvmtiError::NONE)
    }

    pub fn enable(self, event: jvmtiEvent) -> bool {
        const JVMTI_ENABLE: u32 = 1;
        self.notify(event, JVMTI_ENABLE)
    }

    pub fn disable(self, event: jvmtiEvent) -> bool {
        const JVMTI_DISABLE: u32 = 0;
        self.notify(event, JVMTI_DISABLE)
    }

    fn notify(self, event: jvmtiEvent, mode: u32) -> bool {
        // SAFETY: a null thread means all threads.
        self.table().SetEventNotificationMode.is_some_and(
            |set| unsafe { set(self.env, mode, event, ptr::null_mut()) } == jvmtiError::NONE,
        )
    }

    pub fn retransform(self, classes: &[jclass]) -> bool {
        self.table().RetransformClasses.is_some_and(|retransform| {
            // SAFETY: live class references, counted.
            let result = unsafe { retransform(self.env, classes.len() as i32, classes.as_ptr()) };
            result == jvmtiError::NONE
        })
    }

    /// A copy of `bytes` in memory that the JVM frees.
    pub fn allocate(self, bytes: &[u8]) -> Option<*mut u8> {
        let mut memory: *mut u8 = ptr::null_mut();
        let allocate = self.table().Allocate?;
        // SAFETY: `memory` receives a block of the size asked for, which is then filled to its end.
        unsafe {
            if allocate(self.env, bytes.len() as i64, &raw mut memory) != jvmtiError::NONE
                || memory.is_null()
            {
                return None;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len());
        }
        Some(memory)
    }

    fn deallocate<T>(self, memory: *mut T) {
        if let Some(deallocate) = self.table().Deallocate {
            // SAFETY: the block came from this environment and is used no more.
            unsafe { deallocate(self.env, memory.cast()) };
        }
    }

    /// Copies an array that the JVM allocated, and frees it.
    fn taken<T: Copy>(self, memory: *mut T, count: i32) -> Vec<T> {
        if memory.is_null() {
            return Vec::new();
        }
        // SAFETY: the JVM filled `count` elements.
        let copy = unsafe { std::slice::from_raw_parts(memory, count.max(0) as usize) }.to_vec();
        self.deallocate(memory);
        copy
    }

    fn taken_text(self, memory: *mut c_char) -> Option<String> {
        if memory.is_null() {
            return None;
        }
        // SAFETY: the JVM returned a NUL-terminated string.
        let text = unsafe { CStr::from_ptr(memory) }
            .to_string_lossy()
            .into_owned();
        self.deallocate(memory);
        Some(text)
    }

    /// Every class of the JVM, as local references.
    pub fn loaded_classes(self) -> Vec<jclass> {
        let (mut count, mut classes) = (0, ptr::null_mut());
        let Some(get) = self.table().GetLoadedClasses else {
            return Vec::new();
        };
        // SAFETY: both out parameters are valid for the call.
        unsafe { get(self.env, &raw mut count, &raw mut classes) };
        self.taken(classes, count)
    }

    /// The classes whose methods are being executed, as local references, some of them several times.
    pub fn classes_on_stacks(self) -> Vec<jclass> {
        const DEEPEST: i32 = 1024;
        let (mut count, mut stacks) = (0, ptr::null_mut::<jvmtiStackInfo>());
        let (Some(get), Some(declaring)) = (
            self.table().GetAllStackTraces,
            self.table().GetMethodDeclaringClass,
        ) else {
            return Vec::new();
        };
        // SAFETY: both out parameters are valid for the call; what comes back is one block with the frames inside.
        let stacks = unsafe {
            get(self.env, DEEPEST, &raw mut stacks, &raw mut count);
            if stacks.is_null() {
                return Vec::new();
            }
            (
                stacks,
                std::slice::from_raw_parts(stacks, count.max(0) as usize),
            )
        };
        let mut classes = Vec::new();
        for stack in stacks.1 {
            for at in 0..stack.frame_count.max(0) as usize {
                let mut class = ptr::null_mut();
                // SAFETY: the JVM filled `frame_count` frames, and the block is freed only below.
                unsafe {
                    let frame = &*stack.frame_buffer.add(at);
                    declaring(self.env, frame.method, &raw mut class);
                }
                if !class.is_null() {
                    classes.push(class);
                }
            }
        }
        self.deallocate(stacks.0);
        classes
    }

    /// The innermost methods of the current thread.
    pub fn own_stack(self) -> Vec<jmethodID> {
        const DEPTH: usize = 12;
        // SAFETY: all zeros are a frame.
        let mut frames: [jvmtiFrameInfo; DEPTH] = unsafe { std::mem::zeroed() };
        let mut count = 0;
        if let Some(get) = self.table().GetStackTrace {
            // SAFETY: no thread stands for the current one; the JVM fills at most as many frames as there is room for.
            unsafe {
                get(
                    self.env,
                    ptr::null_mut(),
                    0,
                    DEPTH as i32,
                    frames.as_mut_ptr(),
                    &raw mut count,
                );
            }
        }
        let filled = frames.iter().take(count.max(0) as usize);
        filled.map(|frame| frame.method).collect()
    }

    /// The class that a method of the current stack belongs to, as a local reference.
    pub fn declaring_class(self, method: jmethodID) -> Option<jclass> {
        let mut class = ptr::null_mut();
        // SAFETY: the method is being executed, so its class is there.
        unsafe { self.table().GetMethodDeclaringClass?(self.env, method, &raw mut class) };
        (!class.is_null()).then_some(class)
    }

    /// Makes HotSpot allocate the objects that escape analysis had replaced by their fields, in the frames of all threads:
    /// it does so before it follows references, which then ends at the first.
    pub fn make_objects(self) {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_tag_objects(true);
        self.add_capabilities(&capabilities);
        let callbacks = jvmtiHeapCallbacks {
            heap_reference_callback: Some(stop_following),
            ..jvmtiHeapCallbacks::default()
        };
        if let Some(follow) = self.table().FollowReferences {
            // SAFETY: no filter, no object to start from, and a table that lives during the call.
            unsafe {
                follow(
                    self.env,
                    0,
                    ptr::null_mut(),
                    ptr::null_mut(),
                    &raw const callbacks,
                    ptr::null(),
                )
            };
        }
    }

    /// The constant pool of a linked class: `constant_pool_count` and what follows it in a class file.
    pub fn constants(self, class: jclass) -> Option<Vec<u8>> {
        let (mut count, mut length, mut bytes) = (0, 0, ptr::null_mut());
        let get = self.table().GetConstantPool?;
        // SAFETY: a live class and valid out parameters.
        unsafe {
            get(
                self.env,
                class,
                &raw mut count,
                &raw mut length,
                &raw mut bytes,
            );
        }
        if bytes.is_null() {
            return None;
        }
        let mut constants = (count as u16).to_be_bytes().to_vec();
        constants.extend(self.taken(bytes, length));
        Some(constants)
    }

    pub fn class_status(self, class: jclass) -> i32 {
        let mut status = 0;
        if let Some(get) = self.table().GetClassStatus {
            // SAFETY: a live class and a valid out parameter.
            unsafe { get(self.env, class, &raw mut status) };
        }
        status
    }

    /// As a descriptor, `Lcom/acme/Order;`.
    pub fn class_signature(self, class: jclass) -> Option<String> {
        let mut signature = ptr::null_mut();
        let get = self.table().GetClassSignature?;
        // SAFETY: a live class and a valid out parameter; the generic signature is not asked for.
        unsafe { get(self.env, class, &raw mut signature, ptr::null_mut()) };
        self.taken_text(signature)
    }

    /// A property that the JVM was started with.
    pub fn property(self, name: &std::ffi::CStr) -> Option<String> {
        let mut value = ptr::null_mut();
        let get = self.table().GetSystemProperty?;
        // SAFETY: a name that ends with 0 and a valid out parameter.
        unsafe { get(self.env, name.as_ptr(), &raw mut value) };
        self.taken_text(value)
    }

    /// The internal name, where it is not an array.
    pub fn class_name(self, class: jclass) -> Option<String> {
        let signature = self.class_signature(class)?;
        let name = signature.strip_prefix('L')?.strip_suffix(';')?;
        Some(name.to_owned())
    }

    /// Not so primitive types, arrays and hidden classes.
    pub fn is_modifiable(self, class: jclass) -> bool {
        let mut modifiable = 0;
        if let Some(get) = self.table().IsModifiableClass {
            // SAFETY: a live class and a valid out parameter.
            unsafe { get(self.env, class, &raw mut modifiable) };
        }
        modifiable != 0
    }

    /// The group that holds all others, as a local reference.
    pub fn top_thread_group(self) -> Option<jobject> {
        let (mut count, mut groups) = (0, ptr::null_mut());
        let get = self.table().GetTopThreadGroups?;
        // SAFETY: both out parameters are valid for the call.
        unsafe { get(self.env, &raw mut count, &raw mut groups) };
        self.taken(groups, count).first().copied()
    }

    /// Null for the boot loader.
    pub fn class_loader(self, class: jclass) -> jobject {
        let mut loader = ptr::null_mut();
        if let Some(get) = self.table().GetClassLoader {
            // SAFETY: a live class and a valid out parameter.
            unsafe { get(self.env, class, &raw mut loader) };
        }
        loader
    }

    /// The instance fields of reference type that `class` itself declares.
    pub fn reference_fields(self, class: jclass) -> Vec<jfieldID> {
        let mut fields = self.fields(class);
        fields.retain(|field| !field.is_static && field.descriptor.starts_with(['L', '[']));
        fields.into_iter().map(|field| field.id).collect()
    }

    /// The fields that `class` itself declares. No class is loaded for that.
    pub fn fields(self, class: jclass) -> Vec<Field> {
        const STATIC: i32 = 8;
        const FINAL: i32 = 16;
        let (mut count, mut fields) = (0, ptr::null_mut());
        let table = self.table();
        let (Some(get), Some(name_of), Some(modifiers)) = (
            table.GetClassFields,
            table.GetFieldName,
            table.GetFieldModifiers,
        ) else {
            return Vec::new();
        };
        // SAFETY: a live, prepared class and valid out parameters.
        unsafe { get(self.env, class, &raw mut count, &raw mut fields) };
        let listed = self.taken(fields, count).into_iter();
        let described = listed.filter_map(|id| {
            let mut access = 0;
            let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
            // SAFETY: the field was just listed for this class; the generic signature is not asked for.
            unsafe {
                modifiers(self.env, class, id, &raw mut access);
                name_of(
                    self.env,
                    class,
                    id,
                    &raw mut name,
                    &raw mut descriptor,
                    ptr::null_mut(),
                );
            }
            let (name, descriptor) = (self.taken_text(name), self.taken_text(descriptor));
            Some(Field {
                id,
                name: name?,
                descriptor: descriptor?,
                is_static: access & STATIC != 0,
                is_final: access & FINAL != 0,
            })
        });
        described.collect()
    }
}

/// A field of a loaded class.
pub struct Field {
    pub id: jfieldID,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    pub is_final: bool,
}

/// A callback of `FollowReferences` that has seen enough.
#[allow(clippy::too_many_arguments)] // The JVM's signature.
unsafe extern "system" fn stop_following(
    _: jvmtiHeapReferenceKind,
    _: *const jvmtiHeapReferenceInfo,
    _: i64,
    _: i64,
    _: i64,
    _: *mut i64,
    _: *mut i64,
    _: i32,
    _: *mut c_void,
) -> i32 {
    JVMTI_VISIT_ABORT
}
