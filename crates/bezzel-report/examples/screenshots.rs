//! Takes pictures of a page, to look at it while its style is written:
//! `cargo run -p bezzel-report --example screenshots -- PAGE.html FOLDER` writes how it looks on a
//! desk, on a phone, in the dark, with a value shown, and on paper. Needs Chromium.

use std::error::Error;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bezzel_chromium::{DESK, PHONE, Page, Screen};
use serde_json::{Value as Json, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, folder] = &arguments[..] else {
        return Err("which page, and into which folder?".into());
    };
    let (page, folder) = (fs::canonicalize(page)?, Path::new(folder));
    fs::create_dir_all(folder)?;
    let address = format!("file://{}", page.display());
    let open = |screen: Screen| Page::open(&address, screen).ok_or("no chromium");
    let write = |name: &str, bytes: Vec<u8>| fs::write(folder.join(name), bytes);

    let desk = open(DESK)?;
    write("desk-top.png", picture(&desk, false))?;
    write("desk.png", picture(&desk, true))?;
    write("paper.pdf", paper(&desk))?;
    desk.prefer("prefers-color-scheme", "dark");
    write("dark.png", picture(&desk, true))?;
    let phone = open(PHONE)?;
    write("phone-top.png", picture(&phone, false))?;
    write("phone.png", picture(&phone, true))?;
    for (name, screen) in [("value.png", DESK), ("value-phone.png", PHONE)] {
        let page = open(screen)?;
        if page.ask("document.querySelector('.card') != null") == true {
            page.ask("document.querySelector('.card').scrollIntoView({block: 'center'})");
            page.ask("document.querySelector('.card').focus()");
            (0..9).for_each(|_| page.press("ArrowRight"));
            page.rest();
            write(name, picture(&page, false))?;
        }
    }
    Ok(())
}

/// A picture of the whole page, or of what the screen shows of it, as PNG.
fn picture(page: &Page, whole: bool) -> Vec<u8> {
    page.rest();
    let mut asked = json!({"format": "png", "captureBeyondViewport": whole});
    if whole {
        let [width, height] = ["Width", "Height"]
            .map(|side| page.number(&format!("document.documentElement.scroll{side}")));
        asked["clip"] = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
    }
    bytes(&page.call("Page.captureScreenshot", &asked))
}

/// The page on paper, as PDF.
fn paper(page: &Page) -> Vec<u8> {
    let asked = json!({"printBackground": false, "preferCSSPageSize": true});
    bytes(&page.call("Page.printToPDF", &asked))
}

fn bytes(told: &Json) -> Vec<u8> {
    STANDARD.decode(told["data"].as_str().expect("the data come in base 64")).expect("they do")
}
