//! Takes pictures of a page, for the design of its style: `cargo run -p bezzel-report --example screenshots --
//! PAGE.html FOLDER` writes pictures on a desktop screen, on a phone, in dark mode, with a value shown, and on paper.
//! Needs Chromium.

use std::error::Error;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};
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

    let desk = open(DESKTOP)?;
    write("desk-top.png", picture(&desk, false))?;
    write("desk.png", picture(&desk, true))?;
    write("paper.pdf", paper(&desk))?;
    desk.prefer("prefers-color-scheme", "dark");
    write("dark.png", picture(&desk, true))?;
    let phone = open(PHONE)?;
    write("phone-top.png", picture(&phone, false))?;
    write("phone.png", picture(&phone, true))?;
    for (name, screen) in [("value.png", DESKTOP), ("value-phone.png", PHONE)] {
        let page = open(screen)?;
        if page.evaluate("document.querySelector('.card') != null") == true {
            page.evaluate("document.querySelector('.card').scrollIntoView({block: 'center'})");
            page.evaluate("document.querySelector('.card').focus()");
            (0..9).for_each(|_| page.press("ArrowRight"));
            page.rest();
            write(name, picture(&page, false))?;
        }
    }
    Ok(())
}

/// A picture of the whole page, or of its visible part, as PNG.
fn picture(page: &Page, whole: bool) -> Vec<u8> {
    page.rest();
    let mut parameters = json!({"format": "png", "captureBeyondViewport": whole});
    if whole {
        let [width, height] = ["Width", "Height"]
            .map(|side| page.number(&format!("document.documentElement.scroll{side}")));
        parameters["clip"] = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
    }
    bytes(&page.call("Page.captureScreenshot", &parameters))
}

/// The page on paper, as PDF.
fn paper(page: &Page) -> Vec<u8> {
    let parameters = json!({"printBackground": false, "preferCSSPageSize": true});
    bytes(&page.call("Page.printToPDF", &parameters))
}

fn bytes(reply: &Json) -> Vec<u8> {
    STANDARD.decode(reply["data"].as_str().expect("the data come in base 64")).expect("they do")
}
