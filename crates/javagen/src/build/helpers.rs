//! The few lines of reflection that a test needs for what source cannot name.

use crate::scope::Scope;
use std::collections::BTreeSet;

/// A method that the test class brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// What a file beside the test holds.
    Bytes,
    Call,
    Constant,
    Construct,
    /// A static field that cannot be named.
    Exchange,
    Make,
    /// The same of numbers, read.
    Numbers,
    /// What a collection of a static final field holds.
    Refill,
    Set,
    /// Where a class above declares a field of the same name.
    SetIn,
    Type,
}

/// Those that a test class needs.
#[derive(Debug, Clone, Default)]
pub struct Helpers {
    needed: BTreeSet<Helper>,
}

impl Helpers {
    pub fn need(&mut self, helper: Helper) {
        self.needed.insert(helper);
    }

    pub(crate) fn add(&mut self, others: &Helpers) {
        self.needed.extend(&others.needed);
    }

    /// The sources of those that the class calls.
    pub fn used_in(&self, class: &str, scope: &mut Scope<'_>) -> Vec<String> {
        self.needed
            .iter()
            .filter(|helper| helper.calls().iter().any(|call| class.contains(call)))
            .map(|helper| helper.source(scope))
            .collect()
    }
}

impl Helper {
    /// What stands in a class that needs it.
    fn calls(self) -> &'static [&'static str] {
        match self {
            Helper::Bytes => &["bytes(", "numbers("],
            Helper::Call => &["call("],
            Helper::Constant => &["constant("],
            Helper::Construct => &["construct("],
            Helper::Exchange => &["exchange("],
            Helper::Make => &["make("],
            Helper::Numbers => &["numbers("],
            Helper::Refill => &["refill("],
            Helper::Set => &["set("],
            Helper::SetIn => &["setIn("],
            Helper::Type => &["type("],
        }
    }

    fn source(self, scope: &mut Scope<'_>) -> String {
        match self {
            Helper::Bytes => {
                let stream = scope.library("java.io.InputStream");
                let exception = scope.library("java.io.IOException");
                let missing = scope.library("java.io.FileNotFoundException");
                BYTES
                    .replace("TEST", scope.test())
                    .replace("InputStream ", &format!("{stream} "))
                    .replace("throws IOException", &format!("throws {exception}"))
                    .replace("FileNotFoundException", &missing)
            }
            Helper::Numbers => {
                let stream = scope.library("java.util.stream.Stream");
                let exception = scope.library("java.io.IOException");
                let charsets = scope.library("java.nio.charset.StandardCharsets");
                NUMBERS
                    .replace("Stream", &stream)
                    .replace("IOException", &exception)
                    .replace("StandardCharsets", &charsets)
            }
            Helper::Call => {
                let method = scope.library("java.lang.reflect.Method");
                let wrapper = scope.library("java.lang.reflect.InvocationTargetException");
                CALL.replace("Method method", &format!("{method} method"))
                    .replace("InvocationTargetException", &wrapper)
            }
            Helper::Constant => {
                let field = scope.library("java.lang.reflect.Field");
                CONSTANT.replace("Field found", &format!("{field} found"))
            }
            Helper::Construct => {
                let constructor = scope.library("java.lang.reflect.Constructor");
                let wrapper = scope.library("java.lang.reflect.InvocationTargetException");
                CONSTRUCT
                    .replace("Constructor<?>", &format!("{constructor}<?>"))
                    .replace("InvocationTargetException", &wrapper)
            }
            Helper::Exchange => {
                let field = scope.library("java.lang.reflect.Field");
                EXCHANGE.replace("Field found", &format!("{field} found"))
            }
            Helper::Refill => {
                let (map, copy) = (
                    scope.library("java.util.Map"),
                    scope.library("java.util.LinkedHashMap"),
                );
                let (collection, list) = (
                    scope.library("java.util.Collection"),
                    scope.library("java.util.ArrayList"),
                );
                REFILL
                    .replace("LinkedHashMap(", &format!("{copy}("))
                    .replace("ArrayList(", &format!("{list}("))
                    .replace("Map ", &format!("{map} "))
                    .replace("Collection ", &format!("{collection} "))
            }
            Helper::Make => {
                let factory = scope.library("sun.reflect.ReflectionFactory");
                MAKE.replace("ReflectionFactory.", &format!("{factory}."))
            }
            Helper::Set => {
                let field = scope.library("java.lang.reflect.Field");
                SET.replace("Field found", &format!("{field} found"))
            }
            Helper::SetIn => {
                let field = scope.library("java.lang.reflect.Field");
                SET_IN.replace("Field found", &format!("{field} found"))
            }
            Helper::Type => TYPE.to_owned(),
        }
    }
}

const BYTES: &str = r#"    /** What a file beside this test holds. */
    private static byte[] bytes(String file) throws IOException {
        Class<?> test = TEST.class;
        InputStream beside = test.getResourceAsStream(file);
        try (InputStream in = beside != null ? beside : test.getResourceAsStream("/" + file)) {
            if (in == null) {
                throw new FileNotFoundException(file + " is not on the class path");
            }
            return in.readAllBytes();
        }
    }
"#;

const NUMBERS: &str = r#"    /** The numbers in a file beside this test. */
    private static Stream<String> numbers(String file) throws IOException {
        return Stream.of(new String(bytes(file), StandardCharsets.UTF_8).trim().split("\\s+"));
    }
"#;

const CALL: &str = r#"    /** Calls a method that cannot be named here. */
    private static Object call(Class<?> owner, String signature, Object receiver, Object... arguments) throws Throwable {
        for (Method method : owner.getDeclaredMethods()) {
            StringBuilder found = new StringBuilder(method.getName()).append('(');
            for (Class<?> type : method.getParameterTypes()) {
                found.append(found.charAt(found.length() - 1) == '(' ? "" : ", ").append(type.getSimpleName());
            }
            if (found.append(')').toString().equals(signature)) {
                method.setAccessible(true);
                try {
                    return method.invoke(receiver, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new NoSuchMethodException(owner.getName() + "." + signature);
    }
"#;

const CONSTANT: &str = r"    /** What a static field holds that cannot be named here. */
    private static Object constant(Class<?> owner, String field) throws ReflectiveOperationException {
        Field found = owner.getDeclaredField(field);
        found.setAccessible(true);
        return found.get(null);
    }
";

const CONSTRUCT: &str = r#"    /** Calls a constructor that cannot be named here. */
    private static <T> T construct(Class<T> type, String parameters, Object... arguments) throws Throwable {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            StringBuilder found = new StringBuilder();
            for (Class<?> parameter : constructor.getParameterTypes()) {
                found.append(found.length() == 0 ? "" : ", ").append(parameter.getSimpleName());
            }
            if (found.toString().equals(parameters)) {
                constructor.setAccessible(true);
                try {
                    return type.cast(constructor.newInstance(arguments));
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new NoSuchMethodException(type.getName() + "(" + parameters + ")");
    }
"#;

const EXCHANGE: &str = r"    /** Sets a static field that cannot be named here; what it held before. */
    private static Object exchange(Class<?> owner, String field, Object value) throws ReflectiveOperationException {
        Field found = owner.getDeclaredField(field);
        found.setAccessible(true);
        Object before = found.get(null);
        found.set(null, value);
        return before;
    }
";

const REFILL: &str = r"    /** Replaces what a static final field's collection holds; what it held before. */
    private static Object refill(Object filled, Object contents) {
        if (filled instanceof Map) {
            Map map = (Map) filled;
            Map before = new LinkedHashMap(map);
            map.clear();
            map.putAll((Map) contents);
            return before;
        }
        Collection collection = (Collection) filled;
        Collection before = new ArrayList(collection);
        collection.clear();
        collection.addAll((Collection) contents);
        return before;
    }
";

const MAKE: &str = r"    /** An object whose fields are all zero or null: no constructor gives the captured state. */
    private static <T> T make(Class<T> type) throws ReflectiveOperationException {
        return type.cast(ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(type, Object.class.getConstructor()).newInstance());
    }
";

const SET: &str = r"    /** Sets a field that cannot be named here. */
    private static void set(Object object, String field, Object value) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field found : type.getDeclaredFields()) {
                if (found.getName().equals(field)) {
                    found.setAccessible(true);
                    found.set(object, value);
                    return;
                }
            }
        }
        throw new NoSuchFieldException(field);
    }
";

const SET_IN: &str = r"    /** Sets a field whose name a class below uses again. */
    private static void setIn(Class<?> owner, Object object, String field, Object value)
            throws ReflectiveOperationException {
        Field found = owner.getDeclaredField(field);
        found.setAccessible(true);
        found.set(object, value);
    }
";

const TYPE: &str = r"    /** A class that cannot be named here. */
    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }
";
