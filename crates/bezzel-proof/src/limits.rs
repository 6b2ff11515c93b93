//! The limits of a check.

use crate::refusal::Cause;

/// The limits of a check. Beyond them the checker gives up, and the proof is neither accepted nor wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory for clauses, assignment and all other data that grow with formula and proof. The checker itself
    /// takes some 100 KiB in addition.
    pub memory_bytes: u64,
    /// The largest number of steps, deletions included; `None` for any number.
    pub steps: Option<u64>,
}

impl Default for Limits {
    /// 2 GiB, and any number of steps.
    fn default() -> Self {
        Self { memory_bytes: 2 << 30, steps: None }
    }
}

/// Counts allocations before they are made.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    used: u64,
    peak: u64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, used: 0, peak: 0 }
    }

    /// The most that was in use at any time, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Reserves capacity for `more` elements.
    #[inline]
    pub(crate) fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Cause> {
        if vec.capacity() - vec.len() >= more { Ok(()) } else { self.enlarge(vec, more) }
    }

    #[cold]
    fn enlarge<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Cause> {
        let least = vec.len() + more;
        let generous = least.max(vec.capacity() / 2 * 3).max(16);
        // If the generous capacity fails, the least one may still fit.
        self.enlarge_to(vec, generous).or_else(|_| self.enlarge_to(vec, least))
    }

    fn enlarge_to<T>(&mut self, vec: &mut Vec<T>, capacity: usize) -> Result<(), Cause> {
        let bytes = |elements: usize| elements as u64 * size_of::<T>() as u64;
        let old = bytes(vec.capacity());
        // Old and new memory may exist at once, while the one is copied to the other.
        self.take(bytes(capacity))?;
        let reserved = vec.try_reserve_exact(capacity - vec.len());
        self.used -= if reserved.is_ok() { old } else { bytes(capacity) };
        reserved.map_err(|_| Cause::Memory { limit_bytes: self.limit })
    }

    /// A vector of zeros.
    pub(crate) fn zeros(&mut self, length: usize) -> Result<Vec<u32>, Cause> {
        let mut zeros = Vec::new();
        self.enlarge_to(&mut zeros, length)?;
        zeros.resize(length, 0);
        Ok(zeros)
    }

    /// Subtracts the memory of a vector that is dropped.
    pub(crate) fn give_back<T>(&mut self, vec: &Vec<T>) {
        self.used -= vec.capacity() as u64 * size_of::<T>() as u64;
    }

    fn take(&mut self, bytes: u64) -> Result<(), Cause> {
        let used = self.used.checked_add(bytes).filter(|used| *used <= self.limit);
        self.used = used.ok_or(Cause::Memory { limit_bytes: self.limit })?;
        self.peak = self.peak.max(self.used);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_counted_and_stops_at_the_limit() {
        let mut budget = Budget::new(1000);
        let mut vec: Vec<u32> = Vec::new();
        let mut pushed = 0;
        while budget.grow(&mut vec, 1).is_ok() {
            vec.push(0);
            pushed += 1;
        }
        assert_eq!(budget.used, 4 * vec.capacity() as u64);
        assert!((64..=250).contains(&pushed), "{pushed}");
        assert!(budget.peak() <= 1000);
        budget.give_back(&vec);
        assert_eq!(budget.used, 0);
    }

    #[test]
    fn no_size_overflows() {
        let mut budget = Budget::new(u64::MAX);
        assert!(budget.grow(&mut Vec::<u32>::new(), usize::MAX / 8).is_err());
        assert_eq!(budget.used, 0);
    }
}
