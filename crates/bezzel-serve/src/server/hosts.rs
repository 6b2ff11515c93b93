//! The host names under which the server answers.
//!
//! A page of any site may make a browser send requests to a server on loopback, by a name of its own that it makes
//! point there (DNS rebinding). Such a request has that name as its `Host`, and the page's as its `Origin`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The names of the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hosts {
    /// The address that it is bound to.
    pub(super) address: IpAddr,
    pub(super) port: u16,
}

/// The port of an address without one.
const HTTP: u16 = 80;

impl Hosts {
    /// Returns true if a `Host` names this server.
    pub(super) fn has(&self, host: &str) -> bool {
        // An address of version 6 contains colons, and is in brackets.
        let end = host.rfind(']').map_or(0, |bracket| bracket + 1);
        let (name, port) = match host[end..].rfind(':') {
            None => (host, HTTP),
            Some(colon) => {
                let digits = &host[end + colon + 1..];
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                let Some(port) = plain.then(|| digits.parse().ok()).flatten() else { return false };
                (&host[..end + colon], port)
            }
        };
        port == self.port && self.is_named(name)
    }

    /// Returns true if an `Origin` is a page of this server.
    pub(super) fn has_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.has(host))
    }

    fn is_named(&self, name: &str) -> bool {
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = match inner {
            Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
            None => name.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
        };
        address.is_some_and(|address| {
            let own = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into(), self.address];
            // A server that is bound to all addresses of the machine accepts any address. That is safe: no name can
            // be made to point to it that is an address itself.
            self.address.is_unspecified() || own.contains(&address)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, port: u16) -> Hosts {
        Hosts { address: address.parse().unwrap(), port }
    }

    #[test]
    fn only_its_own_names_with_its_own_port_are_its_own() {
        let loopback = hosts("127.0.0.1", 8080);
        for host in ["localhost:8080", "LocalHost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert!(loopback.has(host), "{host}");
            assert!(loopback.has_origin(&format!("http://{host}")), "{host}");
            assert!(!loopback.has_origin(&format!("https://{host}")), "{host}");
        }
        for host in [
            "",
            ":8080",
            "localhost",
            "localhost:80",
            "localhost:",
            "localhost:+8080",
            "localhost:8080:8080",
            "localhost.:8080",
            "localhost.evil.example:8080",
            "evil.example:8080",
            "evil.example",
            "127.0.0.1.evil.example:8080",
            "127.1:8080",
            "2130706433:8080",
            "192.168.0.7:8080",
            "::1:8080",
            "[::1]",
            "[::1]8080",
            "[127.0.0.1]:8080",
            "user@localhost:8080",
        ] {
            assert!(!loopback.has(host), "{host}");
        }
        for origin in ["null", "", "http://", "http://evil.example:8080", "localhost:8080"] {
            assert!(!loopback.has_origin(origin), "{origin}");
        }
    }

    #[test]
    fn the_bound_address_is_a_name_and_any_address_is_if_it_is_bound_to_all() {
        assert!(hosts("192.168.0.7", 9).has("192.168.0.7:9"));
        assert!(!hosts("192.168.0.7", 9).has("192.168.0.8:9"));
        assert!(hosts("0.0.0.0", 9).has("192.168.0.8:9"));
        assert!(hosts("::", 9).has("[fe80::1]:9"));
        assert!(!hosts("0.0.0.0", 9).has("evil.example:9"));
        assert!(hosts("127.0.0.1", 80).has("localhost"));
    }
}
