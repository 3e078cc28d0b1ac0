//! What instructions do to the height of the operand stack.

/// Slots popped and pushed, by opcode; (0, 0) where operands decide.
pub(crate) const EFFECTS: [(u8, u8); 256] = {
    let mut effects = [(0, 0); 256];
    let mut opcode = 0;
    #[allow(
        clippy::indexing_slicing,
        reason = "evaluated by the compiler, which would refuse a bad index"
    )]
    while opcode < 256 {
        effects[opcode] = effect(opcode as u8);
        opcode += 1;
    }
    effects
};

/// Slots popped and pushed by the instructions whose effect the opcode alone decides (JVMS 6.5).
#[allow(
    clippy::match_same_arms,
    reason = "one arm per group of the specification"
)]
const fn effect(opcode: u8) -> (u8, u8) {
    match opcode {
        // Constants.
        1..=8 | 11..=13 | 16 | 17 => (0, 1),
        9 | 10 | 14 | 15 | 20 => (0, 2),
        // Loads.
        21 | 23 | 26..=29 | 34..=37 => (0, 1),
        22 | 24 | 30..=33 | 38..=41 => (0, 2),
        // Array loads.
        46 | 48 | 50..=53 => (2, 1),
        47 | 49 => (2, 2),
        // Stores.
        54 | 56 | 58 | 59..=62 | 67..=70 | 75..=78 => (1, 0),
        55 | 57 | 63..=66 | 71..=74 => (2, 0),
        // Array stores.
        79 | 81 | 83..=86 => (3, 0),
        80 | 82 => (4, 0),
        // Arithmetic: int and float, long and double by turns.
        96 | 98 | 100 | 102 | 104 | 106 | 108 | 110 | 112 | 114 => (2, 1),
        97 | 99 | 101 | 103 | 105 | 107 | 109 | 111 | 113 | 115 => (4, 2),
        116 | 118 => (1, 1),
        117 | 119 => (2, 2),
        120 | 122 | 124 | 126 | 128 | 130 => (2, 1),
        121 | 123 | 125 => (3, 2),
        127 | 129 | 131 => (4, 2),
        // Conversions.
        133 | 135 | 140 | 141 => (1, 2),
        134 | 139 | 145..=147 => (1, 1),
        136 | 137 | 142 | 144 => (2, 1),
        138 | 143 => (2, 2),
        // Comparisons.
        148 | 151 | 152 => (4, 1),
        149 | 150 => (2, 1),
        // Branches, switches, jsr.
        153..=158 | 170 | 171 | 198 | 199 => (1, 0),
        159..=166 => (2, 0),
        168 | 201 => (0, 1),
        // Returns end the path; athrow too.
        172 | 174 | 176 | 191 | 194 | 195 => (1, 0),
        173 | 175 => (2, 0),
        // new; arrays, arraylength, checkcast, instanceof.
        187 => (0, 1),
        188 | 189 | 190 | 192 | 193 => (1, 1),
        _ => (0, 0),
    }
}
