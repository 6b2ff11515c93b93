//! The page in several situations: from a file without a network, on a phone, on paper, without a script, and with a
//! foreign script.

use std::fs;

use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};

use crate::browser::open::{opened, report};

/// True if the element is visible.
fn is_visible(page: &Page, selector: &str) -> bool {
    page.evaluate(&format!("document.querySelector('{selector}').checkVisibility()")) == true
}

#[test]
fn pages_ask_for_nothing_complain_of_nothing_and_fit_a_phone() {
    let (folder, paths) = report();
    let index = folder.path().join("reports/index.html");
    for file in [&paths.index, &index] {
        for screen in [DESKTOP, PHONE, Screen { width: 320, ..PHONE }] {
            let Some(page) = opened(file, screen) else { return };
            assert!(
                page.console_messages().is_empty(),
                "{}: {:?}",
                file.display(),
                page.console_messages()
            );
            assert!(page.requests().is_empty(), "{}: {:?}", file.display(), page.requests());
            // All folded parts are open.
            page.evaluate(
                "document.querySelectorAll('details').forEach((part) => part.open = true) ?? 0",
            );
            let width = page.number("document.documentElement.scrollWidth");
            assert!(
                width <= f64::from(screen.width),
                "{}: {width} on {}",
                file.display(),
                screen.width
            );
        }
    }
}

#[test]
fn on_paper_everything_is_open_and_nothing_waits_for_a_click() {
    let (_folder, paths) = report();
    for scripts in [true, false] {
        let Some(page) = opened(&paths.index, Screen { scripts, ..DESKTOP }) else { return };
        assert!(!is_visible(&page, "#config pre"), "the config is folded on a screen");
        page.as_printed();
        assert!(is_visible(&page, "#config pre"));
        assert!(is_visible(&page, "#conditions .facts"));
        for hidden in [".contents", ".files"] {
            assert!(!is_visible(&page, hidden), "{hidden}");
        }
        let background = page.text("getComputedStyle(document.body).backgroundColor");
        assert_eq!(background, "rgb(255, 255, 255)");
    }
}

#[test]
fn keys_scroll_commands_and_a_finger_hits_what_unfolds() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, PHONE) else { return };
    page.evaluate("document.querySelectorAll('details').forEach((part) => part.open = true) ?? 0");
    assert!(page.count("document.querySelectorAll('main pre').length") > 3);
    assert_eq!(page.count("document.querySelectorAll('main pre:not([tabindex])').length"), 0);
    let low = "[...document.querySelectorAll('summary')].filter((part) => part.checkVisibility() && part.getBoundingClientRect().height < 24).length";
    assert_eq!(page.count(low), 0);
}

#[test]
fn without_a_script_everything_is_readable() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, Screen { scripts: false, ..DESKTOP }) else { return };
    assert_eq!(page.text("document.querySelector('h1').textContent"), "Is this read?");
    for shown in ["#conditions .ends", "#table-encodings table", "#sizes svg", "#repeat pre"] {
        assert!(is_visible(&page, shown), "{shown}");
    }
    // Browsers show the titles of marks by themselves. Buttons without a function are absent.
    assert!(page.count("document.querySelectorAll('#sizes .spots title').length") > 0);
    assert_eq!(page.count("document.querySelectorAll('button, input').length"), 0);
    // The contents link to existing parts.
    let broken = "[...document.querySelectorAll('nav a')].filter((a) => !document.querySelector(a.hash)).length";
    assert_eq!(page.count(broken), 0);
    assert!(page.count("document.querySelectorAll('nav a').length") > 5);
}

#[test]
fn a_script_a_style_and_a_picture_of_another_host_are_refused_and_that_is_noticed() {
    let (folder, paths) = report();
    let foreign = "<script>document.title = 'taken'</script><img src=\"other.png\">\
                   <p id=\"p\" style=\"color: red\">x</p>";
    let text = fs::read_to_string(&paths.index).unwrap();
    let page = folder.path().join("other.html");
    fs::write(&page, text.replace("<main>", &format!("<main>{foreign}"))).unwrap();
    fs::write(folder.path().join("other.png"), "").unwrap();
    let Some(page) = opened(&page, DESKTOP) else { return };
    assert_eq!(page.text("document.title"), "small – Bezzel");
    assert_ne!(page.text("getComputedStyle(p).color"), "rgb(255, 0, 0)");
    assert_eq!(page.console_messages().len(), 3, "{:?}", page.console_messages());

    // A page without a policy may send requests, and the request arrives.
    let open = folder.path().join("open.html");
    fs::write(&open, "<!DOCTYPE html><title>x</title><img src=\"other.png\">").unwrap();
    let open = opened(&open, DESKTOP).unwrap();
    let requests = open.requests();
    assert!(requests.len() == 1 && requests[0].ends_with("other.png"), "{requests:?}");
}
