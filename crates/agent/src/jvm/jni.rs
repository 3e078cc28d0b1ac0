//! JNI: what a thread inside the JVM can do.

use super::tables::environment;
use jvmti_bindings::sys::jni::{
    JNI_OK, JNI_VERSION_1_8, JNIEnv, JNINativeInterface_, JNINativeMethod, JavaVM, jclass,
    jfieldID, jobject, jvalue,
};
use std::ffi::{CStr, CString, c_void};
use std::ptr;

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
