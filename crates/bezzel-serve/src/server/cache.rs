//! Values that were worked out, kept as long as there is room for them.

use std::collections::VecDeque;

/// The values that were asked for last, as many as fit a number of bytes.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    /// The one asked for last is at the end.
    entries: VecDeque<(K, V, u64)>,
    bytes: u64,
    room: u64,
}

/// What an entry takes beside its bytes, so that small ones do not become too many.
const OVERHEAD: u64 = 1 << 10;

impl<K: PartialEq, V: Clone> Cache<K, V> {
    pub(super) fn new(room: u64) -> Self {
        Self { entries: VecDeque::new(), bytes: 0, room }
    }

    /// The value of a key, which then is the last that was asked for.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().position(|(known, ..)| known == key)?;
        let entry = self.entries.remove(place)?;
        let value = entry.1.clone();
        self.entries.push_back(entry);
        Some(value)
    }

    /// Keeps a value that takes so many bytes, if there is room for it at all, and lets go of others
    /// that would take more than is left then.
    pub(super) fn put(&mut self, key: K, value: V, bytes: u64) {
        let bytes = bytes.saturating_add(OVERHEAD);
        if bytes > self.room {
            return;
        }
        if let Some(place) = self.entries.iter().position(|(known, ..)| *known == key) {
            self.bytes -= self.entries.remove(place).map_or(0, |(.., bytes)| bytes);
        }
        while self.bytes + bytes > self.room {
            let Some((.., freed)) = self.entries.pop_front() else { break };
            self.bytes -= freed;
        }
        self.bytes += bytes;
        self.entries.push_back((key, value, bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_longest_ago_makes_room() {
        let mut cache = Cache::new(3 * (OVERHEAD + 10));
        for key in 0..3 {
            cache.put(key, key, 10);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(3, 3, 10);
        assert_eq!([0, 1, 2, 3].map(|key| cache.get(&key)), [Some(0), None, Some(2), Some(3)]);
        // It takes the place of two.
        cache.put(4, 4, OVERHEAD + 20);
        assert_eq!([0, 2, 3, 4].map(|key| cache.get(&key)), [None, None, Some(3), Some(4)]);
        cache.put(3, 33, 10);
        assert_eq!([3, 4].map(|key| cache.get(&key)), [Some(33), Some(4)]);
        // What would not fit alone is not kept, and moves nothing.
        cache.put(5, 5, u64::MAX);
        assert_eq!([3, 4, 5].map(|key| cache.get(&key)), [Some(33), Some(4), None]);
        assert!(cache.bytes <= cache.room);
    }
}
