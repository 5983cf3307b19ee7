//! Operations on single elements of constants. Each operation computes in the type of its operands.

use std::cmp::Ordering;

use super::element_type::ElementType;
use super::number::Number;

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Negate,
    Absolute,
    Sign,
    /// 1 if the number is 0, and 0 otherwise.
    Not,
    BitNot,
    Floor,
    Ceil,
    /// Rounds to the nearest integer, and to the even one of two nearest integers.
    Round,
    SquareRoot,
}

impl Unary {
    /// Computes the result for a number of type `element_type`.
    pub fn apply(self, element_type: ElementType, number: &Number) -> Number {
        match *number {
            Number::Known(number) => self.of_integer(element_type, number),
            Number::Float(number) => self.of_float(element_type, number),
            // A length is not negative.
            Number::Length(_) if matches!(self, Unary::Absolute) => number.clone(),
            _ => Number::Unknown,
        }
    }

    fn of_integer(self, element_type: ElementType, number: i64) -> Number {
        let wide = i128::from(number);
        element_type.integer(match self {
            Unary::Negate => -wide,
            Unary::Absolute => wide.abs(),
            Unary::Sign => wide.signum(),
            Unary::BitNot if element_type != ElementType::Bool => !wide,
            Unary::Not | Unary::BitNot => i128::from(wide == 0),
            Unary::Floor | Unary::Ceil => wide,
            // TensorFlow rounds every integer to 0.
            Unary::Round | Unary::SquareRoot => return Number::Unknown,
        })
    }

    fn of_float(self, element_type: ElementType, number: f64) -> Number {
        element_type.float(match self {
            Unary::Negate => -number,
            Unary::Absolute => number.abs(),
            Unary::Sign if number == 0.0 || number.is_nan() => number,
            Unary::Sign => number.signum(),
            Unary::Floor => number.floor(),
            Unary::Ceil => number.ceil(),
            Unary::Round => number.round_ties_even(),
            Unary::SquareRoot => number.sqrt(),
            Unary::Not | Unary::BitNot => return Number::Unknown,
        })
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// Division. The quotient of integers is rounded towards zero.
    Divide,
    /// Division, rounded towards negative infinity.
    FloorDivide,
    Minimum,
    Maximum,
    /// The remainder of a division that is rounded towards zero.
    Remainder,
    /// The remainder of a division that is rounded towards negative infinity.
    FloorRemainder,
    Power,
    /// The bitwise or logical conjunction.
    And,
    /// The bitwise or logical disjunction.
    Or,
    /// The bitwise or logical exclusive disjunction.
    ExclusiveOr,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

use Arithmetic::{
    Add, And, Divide, Equal, ExclusiveOr, FloorDivide, FloorRemainder, Greater, GreaterOrEqual,
    Less, LessOrEqual, Maximum, Minimum, Multiply, NotEqual, Or, Power, Remainder, ShiftLeft,
    ShiftRight, Subtract,
};

impl Arithmetic {
    /// Returns the type of the result for operands of type `operands`.
    pub fn result_type(self, operands: ElementType) -> ElementType {
        match self.holds(Ordering::Equal) {
            Some(_) => ElementType::Bool,
            None => operands,
        }
    }

    /// Returns whether a comparison holds for two numbers in the order `order`. Returns `None` for any other operation.
    fn holds(self, order: Ordering) -> Option<bool> {
        Some(match self {
            Equal => order.is_eq(),
            NotEqual => order.is_ne(),
            Less => order.is_lt(),
            LessOrEqual => order.is_le(),
            Greater => order.is_gt(),
            GreaterOrEqual => order.is_ge(),
            _ => return None,
        })
    }

    /// Computes the result for operands of type `element_type`. The result is unknown if it differs between processors.
    pub fn apply(self, element_type: ElementType, one: &Number, other: &Number) -> Number {
        match (one, other) {
            (&Number::Known(one), &Number::Known(other)) => {
                let result = self.of_integers(element_type, one.into(), other.into());
                result.map_or(Number::Unknown, |result| {
                    self.result_type(element_type).integer(result)
                })
            }
            (&Number::Float(one), &Number::Float(other)) => {
                let result = self.of_floats(one, other);
                result.map_or(Number::Unknown, |result| {
                    self.result_type(element_type).float(result)
                })
            }
            (Number::Length(_), &Number::Known(number)) => self.of_length(one, number),
            (&Number::Known(number), Number::Length(_)) => match self {
                Add | Multiply | Minimum | Maximum | Equal | NotEqual => {
                    self.of_length(other, number)
                }
                Less => Greater.of_length(other, number),
                LessOrEqual => GreaterOrEqual.of_length(other, number),
                Greater => Less.of_length(other, number),
                GreaterOrEqual => LessOrEqual.of_length(other, number),
                _ => Number::Unknown,
            },
            _ => Number::Unknown,
        }
    }

    fn of_integers(self, element_type: ElementType, one: i128, other: i128) -> Option<i128> {
        let (min, max) = element_type.range();
        // A division by zero, and the division of the least number by -1, stop the program on some processors.
        let quotient = || {
            let quotient = one.checked_div(other)?;
            (min..=max).contains(&quotient).then_some(quotient)
        };
        let floor = |quotient: i128| {
            quotient - i128::from(one - quotient * other != 0 && (one < 0) != (other < 0))
        };
        let bits = i128::try_from(8 * element_type.size()).ok()?;
        let shift = || u32::try_from(other).ok().filter(|_| other < bits);
        Some(match self {
            Add => one + other,
            Subtract => one - other,
            Multiply => one.checked_mul(other)?,
            Divide => quotient()?,
            FloorDivide => floor(quotient()?),
            Minimum => one.min(other),
            Maximum => one.max(other),
            Remainder => one - quotient()? * other,
            FloorRemainder => one - floor(quotient()?) * other,
            Power => power(one, other)?,
            And => one & other,
            Or => one | other,
            ExclusiveOr => one ^ other,
            ShiftLeft => one << shift()?,
            ShiftRight => one >> shift()?,
            _ => self.holds(one.cmp(&other))?.into(),
        })
    }

    fn of_floats(self, one: f64, other: f64) -> Option<f64> {
        // Numbers that are not comparable include a NaN.
        let order = one.partial_cmp(&other)?;
        Some(match self {
            Add => one + other,
            Subtract => one - other,
            Multiply => one * other,
            Divide => one / other,
            Minimum => one.min(other),
            Maximum => one.max(other),
            Remainder => one % other,
            _ => self.holds(order)?.into(),
        })
    }

    /// Computes the result for a length, which is not negative, and a number.
    fn of_length(self, length: &Number, number: i64) -> Number {
        match (self, number) {
            (Add | Subtract, 0) | (Multiply | Divide | FloorDivide | Power, 1) => length.clone(),
            (Maximum, ..=0) => length.clone(),
            (Minimum, ..=0) => Number::Known(number),
            (Multiply, 0) | (Remainder | FloorRemainder, 1) => Number::Known(0),
            (Equal | LessOrEqual, ..0) | (Less, ..=0) => Number::Known(0),
            (NotEqual | Greater, ..0) | (GreaterOrEqual, ..=0) => Number::Known(1),
            _ => Number::Unknown,
        }
    }
}

/// Returns a power, if it is exact in every system: some of them compute it as a floating-point number.
fn power(base: i128, exponent: i128) -> Option<i128> {
    let is_odd = exponent % 2 != 0;
    let power = match (base, exponent) {
        (1, _) => 1,
        (-1, _) => {
            if is_odd {
                -1
            } else {
                1
            }
        }
        (0, 1..) => 0,
        (_, exponent) if exponent < 0 => return None,
        (base, exponent) => base.checked_pow(u32::try_from(exponent).ok()?)?,
    };
    (power.abs() <= 1 << f64::MANTISSA_DIGITS).then_some(power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType::{I8, I32, I64, U8};

    #[test]
    fn integers() {
        for (operation, kind, one, other, expected) in [
            (Add, I8, 127, 1, Some(-128)),
            (Subtract, U8, 0, 1, Some(255)),
            (Multiply, I64, i64::MAX, 2, Some(-2)),
            (Divide, I32, -7, 2, Some(-3)),
            (FloorDivide, I32, -7, 2, Some(-4)),
            (FloorDivide, I32, -8, 2, Some(-4)),
            (Remainder, I32, -7, 2, Some(-1)),
            (FloorRemainder, I32, -7, 2, Some(1)),
            (FloorRemainder, I32, 7, -2, Some(-1)),
            (Divide, I32, 1, 0, None),
            (Divide, I32, i32::MIN.into(), -1, None),
            (Remainder, I32, i32::MIN.into(), -1, None),
            (Power, I64, 3, 3, Some(27)),
            (Power, I64, 2, 60, None),
            (ShiftLeft, U8, 255, 1, Some(254)),
            (ShiftLeft, U8, 1, 8, None),
            (Less, I64, 1, 2, Some(1)),
        ] {
            let result = operation.apply(kind, &Number::Known(one), &Number::Known(other));
            assert_eq!(
                result.known(),
                expected,
                "{operation:?} of {kind:?}: {one}, {other}"
            );
        }
    }

    /// Checks that each known result for a length is the result for all lengths.
    #[test]
    fn lengths() {
        let name = Number::Length("n".into());
        let mut known_results = 0;
        for operation in [
            Add,
            Subtract,
            Multiply,
            Divide,
            FloorDivide,
            Minimum,
            Maximum,
            Remainder,
            FloorRemainder,
            Power,
            And,
            Or,
            ExclusiveOr,
            ShiftLeft,
            ShiftRight,
            Equal,
            NotEqual,
            Less,
            LessOrEqual,
            Greater,
            GreaterOrEqual,
        ] {
            for number in -3..=3 {
                for is_first in [true, false] {
                    let apply = |length: &Number| {
                        let number = Number::Known(number);
                        let (one, other) = if is_first {
                            (length, &number)
                        } else {
                            (&number, length)
                        };
                        operation.apply(I64, one, other)
                    };
                    let result = apply(&name);
                    for length in 0..7 {
                        let expected = match &result {
                            Number::Unknown => continue,
                            Number::Length(_) => Number::Known(length),
                            number => number.clone(),
                        };
                        known_results += 1;
                        assert_eq!(
                            apply(&Number::Known(length)),
                            expected,
                            "{operation:?} {number} {is_first}"
                        );
                    }
                }
            }
        }
        assert!(known_results > 300);
    }
}
