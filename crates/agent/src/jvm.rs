//! Wrappers around the JNI and JVMTI function tables: the narrow, typed part of them that recrash uses.
//!
//! Every method that calls into the JVM leaves no exception pending behind: what it could not do, it returns as `None`.

use jvmti_bindings::sys::jni::{
    JNI_OK, JNI_VERSION_1_8, JNIEnv, JNINativeInterface_, JNINativeMethod, JavaVM, jclass,
    jfieldID, jmethodID, jobject, jvalue,
};
use jvmti_bindings::sys::jvmti::{
    JVMTI_VERSION_1_2, JVMTI_VISIT_ABORT, jvmtiCapabilities, jvmtiEnv, jvmtiError, jvmtiEvent,
    jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiHeapCallbacks, jvmtiHeapReferenceInfo,
    jvmtiHeapReferenceKind, jvmtiInterface_1_, jvmtiStackInfo,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Runs `body`; a panic ends here instead of unwinding into the JVM, which would abort the program.
pub fn guarded<R: Default>(body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_default()
}

/// The JNI environment of the current thread, valid for the duration of one call from the JVM.
#[derive(Clone, Copy)]
pub struct Jni {
    env: *mut JNIEnv,
}

impl Jni {
    /// `env` must be what the JVM handed to the native function that is running.
    pub fn new(env: *mut JNIEnv) -> Option<Self> {
        (!env.is_null()).then_some(Self { env })
    }

    pub fn of_current_thread(vm: *mut JavaVM) -> Option<Self> {
        Self::new(environment(vm, JNI_VERSION_1_8)?.cast())
    }

    pub fn vm(self) -> Option<*mut JavaVM> {
        let mut vm = ptr::null_mut();
        // SAFETY: a valid out parameter.
        let result = unsafe { (self.table().GetJavaVM)(self.env, &raw mut vm) };
        (result == JNI_OK && !vm.is_null()).then_some(vm)
    }

    fn table(&self) -> &JNINativeInterface_ {
        // SAFETY: a JNIEnv points to a pointer to the JVM's function table, which lives as long as the JVM.
        unsafe { &**self.env }
    }

    /// Forgets a pending exception; says whether there was one.
    pub fn clear_exception(self) -> bool {
        // SAFETY: both functions are allowed at any time, with or without a pending exception.
        unsafe {
            let pending = (self.table().ExceptionCheck)(self.env) != 0;
            if pending {
                (self.table().ExceptionClear)(self.env);
            }
            pending
        }
    }

    fn checked(self, object: jobject) -> Option<jobject> {
        let failed = self.clear_exception();
        (!failed && !object.is_null()).then_some(object)
    }

    /// The class of that internal name as the caller's loader (for agents: the boot loader) finds it.
    pub fn find_class(self, name: &str) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        // SAFETY: `name` is a NUL-terminated string that outlives the call.
        let class = unsafe { (self.table().FindClass)(self.env, name.as_ptr()) };
        self.checked(class)
    }

    /// Defines a class of the boot loader.
    pub fn define_class(self, name: &str, bytes: &[u8]) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        // SAFETY: name and bytes outlive the call; a null loader stands for the boot loader.
        let class = unsafe {
            (self.table().DefineClass)(
                self.env,
                name.as_ptr(),
                ptr::null_mut(),
                bytes.as_ptr().cast(),
                bytes.len() as i32,
            )
        };
        self.checked(class)
    }

    /// Binds native methods (name, descriptor, function) of a class.
    pub fn register(self, class: jclass, methods: &[(&CStr, &CStr, *mut c_void)]) -> bool {
        let methods: Vec<JNINativeMethod> = methods
            .iter()
            .map(|&(name, signature, function)| JNINativeMethod {
                name: name.as_ptr(),
                signature: signature.as_ptr(),
                fnPtr: function,
            })
            .collect();
        // SAFETY: a live class and a table that lives during the call; the JVM copies what it needs.
        let result = unsafe {
            (self.table().RegisterNatives)(self.env, class, methods.as_ptr(), methods.len() as i32)
        };
        !self.clear_exception() && result == JNI_OK
    }

    /// Calls a static method that returns an object (or, with a `V` descriptor, nothing).
    pub fn call_static(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        arguments: &[jvalue],
    ) -> Option<jobject> {
        let returns_nothing = descriptor.to_bytes().ends_with(b"V");
        // SAFETY: the strings outlive the calls; the caller passes the arguments that the descriptor lists.
        unsafe {
            let method = (self.table().GetStaticMethodID)(
                self.env,
                class,
                name.as_ptr(),
                descriptor.as_ptr(),
            );
            if self.clear_exception() || method.is_null() {
                return None;
            }
            if returns_nothing {
                (self.table().CallStaticVoidMethodA)(self.env, class, method, arguments.as_ptr());
                return (!self.clear_exception()).then_some(ptr::null_mut());
            }
            let object =
                (self.table().CallStaticObjectMethodA)(self.env, class, method, arguments.as_ptr());
            self.checked(object)
        }
    }

    /// Calls an instance method of exactly that class, whatever the object's own class makes of it.
    pub fn call_exactly(
        self,
        object: jobject,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<jobject> {
        // SAFETY: the strings outlive the calls; the method takes no argument and returns an object.
        unsafe {
            let method =
                (self.table().GetMethodID)(self.env, class, name.as_ptr(), descriptor.as_ptr());
            if self.clear_exception() || method.is_null() || object.is_null() {
                return None;
            }
            let result = (self.table().CallNonvirtualObjectMethodA)(
                self.env,
                object,
                class,
                method,
                ptr::null(),
            );
            self.checked(result)
        }
    }

    pub fn global(self, object: jobject) -> Option<jobject> {
        // SAFETY: `object` is a live reference of this thread.
        let global = unsafe { (self.table().NewGlobalRef)(self.env, object) };
        self.checked(global)
    }

    /// Announces so many local references, which spares the user warnings under `-Xcheck:jni`.
    pub fn expect_references(self, count: i32) {
        // SAFETY: allowed at any time; a refusal leaves an exception, which is cleared.
        unsafe { (self.table().EnsureLocalCapacity)(self.env, count) };
        self.clear_exception();
    }

    pub fn release(self, local: jobject) {
        // SAFETY: `local` is a local reference of this thread (or null), used no more by the caller.
        unsafe { (self.table().DeleteLocalRef)(self.env, local) };
    }

    pub fn same(self, one: jobject, other: jobject) -> bool {
        // SAFETY: both are live references or null.
        unsafe { (self.table().IsSameObject)(self.env, one, other) != 0 }
    }

    pub fn class_of(self, object: jobject) -> Option<jclass> {
        // SAFETY: `object` is a live, non-null reference.
        let class = unsafe { (self.table().GetObjectClass)(self.env, object) };
        self.checked(class)
    }

    pub fn superclass(self, class: jclass) -> Option<jclass> {
        // SAFETY: `class` is a live class reference.
        let parent = unsafe { (self.table().GetSuperclass)(self.env, class) };
        self.checked(parent)
    }

    pub fn is_instance(self, object: jobject, class: jclass) -> bool {
        // SAFETY: both are live references.
        unsafe { (self.table().IsInstanceOf)(self.env, object, class) != 0 }
    }

    /// The id of an instance field; the class is initialised.
    pub fn field(self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jfieldID> {
        // SAFETY: a live class and two NUL-terminated strings.
        let field = unsafe {
            (self.table().GetFieldID)(self.env, class, name.as_ptr(), descriptor.as_ptr())
        };
        (!self.clear_exception() && !field.is_null()).then_some(field)
    }

    /// The value of a reference field; the id must belong to the object's class and to an instance field.
    pub fn object_field(self, object: jobject, field: jfieldID) -> Option<jobject> {
        // SAFETY: guaranteed by the caller, see above.
        let value = unsafe { (self.table().GetObjectField)(self.env, object, field) };
        self.checked(value)
    }

    pub fn bytes(self, array: jobject) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        // SAFETY: `array` is a live byte[]; exactly its length is copied into a buffer of that size.
        let bytes = unsafe {
            let length = (self.table().GetArrayLength)(self.env, array);
            let mut bytes = vec![0_u8; length.max(0) as usize];
            (self.table().GetByteArrayRegion)(
                self.env,
                array,
                0,
                length,
                bytes.as_mut_ptr().cast(),
            );
            bytes
        };
        (!self.clear_exception()).then_some(bytes)
    }

    pub fn ints(self, array: jobject) -> Option<Vec<i32>> {
        if array.is_null() {
            return None;
        }
        // SAFETY: as in `bytes`, for an int[].
        let ints = unsafe {
            let length = (self.table().GetArrayLength)(self.env, array);
            let mut ints = vec![0_i32; length.max(0) as usize];
            (self.table().GetIntArrayRegion)(self.env, array, 0, length, ints.as_mut_ptr());
            ints
        };
        (!self.clear_exception()).then_some(ints)
    }

    pub fn new_bytes(self, bytes: &[u8]) -> Option<jobject> {
        // SAFETY: the new array has exactly the length that is copied into it.
        unsafe {
            let array = self.checked((self.table().NewByteArray)(self.env, bytes.len() as i32))?;
            (self.table().SetByteArrayRegion)(
                self.env,
                array,
                0,
                bytes.len() as i32,
                bytes.as_ptr().cast(),
            );
            self.checked(array)
        }
    }

    pub fn elements(self, array: jobject) -> Vec<jobject> {
        if array.is_null() {
            return Vec::new();
        }
        // SAFETY: `array` is a live object array, indexed within its length.
        unsafe {
            let length = (self.table().GetArrayLength)(self.env, array);
            (0..length)
                .map(|index| (self.table().GetObjectArrayElement)(self.env, array, index))
                .collect()
        }
    }

    pub fn new_array(self, element: jclass, values: &[jobject]) -> Option<jobject> {
        // SAFETY: the values are live references to instances of `element` or null, stored within the length.
        unsafe {
            let array = self.checked((self.table().NewObjectArray)(
                self.env,
                values.len() as i32,
                element,
                ptr::null_mut(),
            ))?;
            for (index, &value) in values.iter().enumerate() {
                (self.table().SetObjectArrayElement)(self.env, array, index as i32, value);
            }
            self.checked(array)
        }
    }

    pub fn new_text(self, text: &str) -> Option<jobject> {
        let chars: Vec<u16> = text.encode_utf16().collect();
        // SAFETY: exactly the given number of chars is read.
        let string =
            unsafe { (self.table().NewString)(self.env, chars.as_ptr(), chars.len() as i32) };
        self.checked(string)
    }

    pub fn text(self, string: jobject) -> Option<String> {
        if string.is_null() {
            return None;
        }
        // SAFETY: `string` is a live java.lang.String; its length in chars is copied into a buffer of that size.
        let chars = unsafe {
            let length = (self.table().GetStringLength)(self.env, string);
            let mut chars = vec![0_u16; length.max(0) as usize];
            (self.table().GetStringRegion)(self.env, string, 0, length, chars.as_mut_ptr());
            chars
        };
        (!self.clear_exception()).then(|| String::from_utf16_lossy(&chars))
    }

    /// Leaves an exception of that class pending, for the Java caller to see.
    pub fn throw(self, class: &str, message: &str) {
        let (Some(class), Ok(message)) = (
            self.find_class(class),
            CString::new(message.replace('\0', " ")),
        ) else {
            return;
        };
        // SAFETY: a live class and a NUL-terminated string.
        unsafe { (self.table().ThrowNew)(self.env, class, message.as_ptr()) };
    }
}

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

fn environment(vm: *mut JavaVM, version: i32) -> Option<*mut c_void> {
    if vm.is_null() {
        return None;
    }
    let mut env = ptr::null_mut();
    // SAFETY: `vm` is what the JVM handed to the library's entry point; it lives as long as the JVM.
    let result = unsafe { ((**vm).GetEnv)(vm, &raw mut env, version) };
    (result == JNI_OK && !env.is_null()).then_some(env)
}
