//! Numbers of models, of a machine word or of any size.

use num_bigint::BigUint;

/// A number of models.
pub(super) trait Number: Clone + PartialOrd {
    fn bit(one: bool) -> Self;
    /// The sum, if it fits.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// The difference; `other` is not larger.
    fn minus(&self, other: &Self) -> Self;
    /// The product, if it fits.
    fn times(&self, other: &Self) -> Option<Self>;
    /// The number times 2 to the power of `bits`, if it fits.
    fn shifted(&self, bits: usize) -> Option<Self>;
}

macro_rules! machine_number {
    ($number:ty) => {
        impl Number for $number {
            fn bit(one: bool) -> Self {
                one.into()
            }
            fn plus(&self, other: &Self) -> Option<Self> {
                self.checked_add(*other)
            }
            fn minus(&self, other: &Self) -> Self {
                self - other
            }
            fn times(&self, other: &Self) -> Option<Self> {
                self.checked_mul(*other)
            }
            fn shifted(&self, bits: usize) -> Option<Self> {
                (*self == 0 || bits <= self.leading_zeros() as usize).then(|| match *self {
                    0 => 0,
                    number => number << bits,
                })
            }
        }
    };
}

machine_number!(u64);
machine_number!(u128);

impl Number for BigUint {
    fn bit(one: bool) -> Self {
        Self::from(u8::from(one))
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }
    fn shifted(&self, bits: usize) -> Option<Self> {
        Some(self << bits)
    }
}
