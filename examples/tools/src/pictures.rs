//! Writes pictures to PNG files, and draws text in pictures. A picture is an array of height x width x 3 bytes.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_9X15;
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::text::Text;
use ndarray::{Array3, ArrayViewMut3, aview1};

/// Writes a picture to a PNG file.
///
/// # Errors
///
/// Returns an error if the file cannot be created or written, or if the picture is too large for a PNG file.
pub fn write_png(path: &Path, picture: &Array3<u8>) -> Result<(), Box<dyn Error>> {
    let with_path = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::create(path).map_err(|error| with_path(&error))?;
    let (height, width, _) = picture.dim();
    let mut encoder = png::Encoder::new(
        BufWriter::new(file),
        u32::try_from(width)?,
        u32::try_from(height)?,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|error| with_path(&error))?;
    writer.write_image_data(picture.as_standard_layout().as_slice().unwrap_or_default())?;
    Ok(())
}

/// Draws one line of text in a picture. The baseline of the text begins at `(x, y)`.
pub fn draw_label(picture: ArrayViewMut3<'_, u8>, text: &str, x: i32, y: i32, color: [u8; 3]) {
    let style = MonoTextStyle::new(&FONT_9X15, Rgb888::new(color[0], color[1], color[2]));
    let result = Text::new(text, Point::new(x, y), style).draw(&mut Canvas(picture));
    result.unwrap_or_else(|never| match never {});
}

/// A picture for embedded-graphics to draw on. Pixels outside the picture are not drawn.
struct Canvas<'a>(ArrayViewMut3<'a, u8>);

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        let (height, width, _) = self.0.dim();
        Size::new(width as u32, height as u32)
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Rgb888;
    type Error = std::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        let inside = self.bounding_box();
        for Pixel(point, color) in pixels {
            if inside.contains(point) {
                let rgb = [color.r(), color.g(), color.b()];
                self.0
                    .slice_mut(ndarray::s![point.y, point.x, ..])
                    .assign(&aview1(&rgb));
            }
        }
        Ok(())
    }
}
