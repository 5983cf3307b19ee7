//! The instruction sets for which copies and masks have their own kernels.

#![allow(dead_code, reason = "an architecture uses only its own sets")]

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum InstructionSet {
    /// The instructions that the compilation target guarantees on every processor.
    Baseline = 1,
    /// Byte shuffles of 128-bit vectors on AArch64.
    Neon = 2,
    /// Byte shuffles of 128-bit vectors on x86-64.
    Ssse3 = 3,
    /// Byte shuffles of 256-bit vectors.
    Avx2 = 4,
    /// Byte permutations of 512-bit vectors (F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ).
    Avx512 = 5,
}

impl InstructionSet {
    /// All sets. Within an architecture, each set follows the sets that it includes.
    pub const ALL: [Self; 5] = [
        Self::Baseline,
        Self::Neon,
        Self::Ssse3,
        Self::Avx2,
        Self::Avx512,
    ];

    /// Returns `true` if every processor that supports this set also supports the set `other`.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        match (self, other) {
            (_, Self::Baseline) => true,
            (Self::Avx512, Self::Ssse3 | Self::Avx2) | (Self::Avx2, Self::Ssse3) => true,
            _ => self == other,
        }
    }

    /// Returns the most capable set that `self` and `limit` both include.
    pub(super) fn limited_to(self, limit: Self) -> Self {
        if self.includes(limit) {
            limit
        } else if limit.includes(self) {
            self
        } else {
            Self::Baseline
        }
    }

    /// Returns the set with this number as its discriminant. `Baseline` has all other numbers.
    #[inline(always)]
    pub(super) fn from_number(number: usize) -> Self {
        let set = Self::ALL.get(number.wrapping_sub(1)).copied();
        set.unwrap_or(Self::Baseline)
    }
}

#[cfg(test)]
mod tests {
    use super::InstructionSet;

    #[test]
    fn sets_can_be_restored_from_their_numbers() {
        for isa in InstructionSet::ALL {
            assert_eq!(InstructionSet::from_number(isa as usize), isa);
        }
    }
}
