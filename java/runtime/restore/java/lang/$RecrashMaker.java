package java.lang;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import jdk.internal.misc.Unsafe;

/** Makes the object of a record, or finds it where the record only names it. */
final class $RecrashMaker {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long OVERRIDE = $RecrashMemory.offset(AccessibleObject.class, "override");

    private final $RecrashPlan plan;
    private final ClassLoader loader;
    private final $RecrashRestoreNotes notes;
    private final $RecrashRepairs finish;

    $RecrashMaker($RecrashPlan plan, ClassLoader loader, $RecrashRestoreNotes notes, $RecrashRepairs finish) {
        this.plan = plan;
        this.loader = loader;
        this.notes = notes;
        this.finish = finish;
    }

    /** A new object for the record at the plan's position, its references not yet set. */
    Object make(int tag, $RecrashShape shape, $RecrashShape[] shapes) throws ReflectiveOperationException {
        switch (tag) {
            case $RecrashTag.INSTANCE:
                if (shape.resolve(loader, notes).live == null) {
                    return null;
                }
                if (!shape.allocatable) {
                    throw new InstantiationException("it has no instances that a snapshot could hold");
                }
                Object made = ClassLoader.class.isAssignableFrom(shape.live)
                        ? $RecrashStandIn.loader(shape.live, loader)
                        : U.allocateInstance(shape.live);
                if (shape.finish != 0) {
                    finish.later(made, shape.finish);
                }
                return made;
            case $RecrashTag.OBJECT_ARRAY:
                shape.resolve(loader, notes);
                return shape.live == null ? null : Array.newInstance(shape.live.getComponentType(), plan.u4());
            case $RecrashTag.PRIMITIVE_ARRAY:
                shape.resolve(loader, notes);
                int length = plan.u4();
                Object array = Array.newInstance(shape.live.getComponentType(), length);
                plan.raw(array, shape.base, length * $RecrashShape.width(shape.name.charAt(1)));
                return array;
            case $RecrashTag.STRING:
                return plan.string();
            case $RecrashTag.BOXED:
                return $RecrashBoxes.box(boxed(shape.name), plan.u8());
            case $RecrashTag.ENUM:
                return constant(shape, plan.text());
            case $RecrashTag.CLASS:
                return $RecrashNames.type(plan.text(), loader);
            case $RecrashTag.WELL_KNOWN:
                return $RecrashNames.wellKnown(shapes[plan.u4()].name, plan.text());
            case $RecrashTag.STAND_IN:
                int reason = plan.u1();
                return $RecrashStandIn.create(reason, shape.name, plan.text(), loader);
            case $RecrashTag.MEMBER:
                boolean accessible = plan.u1() != 0;
                Object member = $RecrashNames.member(plan.text(), plan.text(), plan.text(), loader);
                if (accessible) {
                    U.putBoolean(member, OVERRIDE, true);
                }
                return member;
            default:
                notes.add("an object of class " + shape.name + " was beyond the capture's budget and is null here");
                return null;
        }
    }

    private static char boxed(String name) {
        switch (name) {
            case "java.lang.Boolean":
                return 'Z';
            case "java.lang.Byte":
                return 'B';
            case "java.lang.Character":
                return 'C';
            case "java.lang.Short":
                return 'S';
            case "java.lang.Integer":
                return 'I';
            default:
                return 'J';
        }
    }

    private Object constant($RecrashShape shape, String name) {
        if (shape.resolve(loader, notes).live == null) {
            return null;
        }
        Class<?> type = shape.live;
        // A constant with a body is of an anonymous sub class.
        while (type != null && type.getSuperclass() != Enum.class) {
            type = type.getSuperclass();
        }
        if (type == null) {
            throw new IllegalArgumentException("it is no enum class");
        }
        Object[] constants = type.getEnumConstants();
        for (int i = 0; constants != null && i < constants.length; i++) {
            if (((Enum<?>) constants[i]).name().equals(name)) {
                return constants[i];
            }
        }
        throw new IllegalArgumentException("there is no constant " + name);
    }
}
