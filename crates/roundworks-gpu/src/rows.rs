//! Many messages that are on the device already, in rows of one size.

use crate::Error;
use crate::batch::{BLOCK, Batch, MOST, Way, places, whole};
use crate::cipher::Cipher;
use crate::driver::{Address, Stream};
use crate::error::{Result, at_most};
use crate::memory::{Memory, zero};
use crate::on_device::check_places;

/// Messages of one size in the device's memory. A row begins at the next multiple of 16 bytes, and
/// memory is there up to one.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // a place and its bytes
pub struct Rows {
    pub count: usize,
    /// Of the cipher's size each, close together.
    pub nonces: Address,
    pub ad: Address,
    /// Of each message.
    pub ad_bytes: usize,
    /// One for all, or as many as messages.
    pub ad_count: usize,
    /// What is sealed, or ciphertexts without their tags.
    pub data: Address,
    /// Of each message.
    pub data_bytes: usize,
    pub out: Address,
    /// Of the cipher's size each, close together.
    pub tags: Address,
}

impl Cipher {
    /// Seals rows that are on the device, as work of a stream: it returns at once. Not of Minalpher.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] of Minalpher; else as [`Cipher::seal_on_device`].
    ///
    /// # Safety
    ///
    /// As of [`Cipher::seal_on_device`].
    pub unsafe fn seal_rows_on_device(&self, stream: Stream, rows: &Rows) -> Result {
        self.rows(stream, Way::Seal, rows, None)
    }

    /// Opens rows that are on the device, as work of a stream: it returns at once. Word `i` of
    /// `verdicts`, of 32 bits, becomes 1 where row `i` is authentic, else 0 and the row zeros.
    ///
    /// # Errors
    ///
    /// As [`Cipher::seal_rows_on_device`].
    ///
    /// # Safety
    ///
    /// As of [`Cipher::seal_on_device`].
    pub unsafe fn open_rows_on_device(
        &self,
        stream: Stream,
        rows: &Rows,
        verdicts: Address,
    ) -> Result {
        self.rows(stream, Way::Open, rows, Some(verdicts))
    }

    fn rows(&self, stream: Stream, way: Way, rows: &Rows, verdicts: Option<Address>) -> Result {
        let Some(launches) = self.batches() else {
            let line = "minalpher: no rows on a GPU; seal and open each message";
            return Err(Error::Unavailable(line.into()));
        };
        at_most("data", rows.data_bytes, MOST)?;
        at_most("ad", rows.ad_bytes, MOST)?;
        if ![1, rows.count].contains(&rows.ad_count) {
            let (count, got) = (rows.count, rows.ad_count);
            let line = format!("ad_count: want 1 or {count}, got {got}");
            return Err(Error::Argument(line));
        }
        let (nonce, tag) = (self.facts.nonce_bytes, self.facts.tag_bytes);
        let (text, ad) = (whole(rows.data_bytes), whole(rows.ad_bytes));
        let own_ad = if rows.ad_count > 1 { ad } else { 0 };
        let out = ("out", rows.out, text.saturating_mul(rows.count));
        let verdict_bytes = verdicts.map_or(0, |_| rows.count.saturating_mul(4));
        check_places(
            out,
            &[
                ("nonces", rows.nonces, rows.count.saturating_mul(nonce)),
                ("ad", rows.ad, ad.saturating_mul(rows.ad_count)),
                ("data", rows.data, out.2),
                ("tags", rows.tags, rows.count.saturating_mul(tag)),
                ("verdicts", verdicts.unwrap_or_default(), verdict_bytes),
            ],
        )?;
        let _here = self.gpu.here()?;
        if verdicts.is_some() {
            zero(&self.gpu, rows.out, out.2, stream)?;
        }
        // As many rows as a launch takes; of those, places that are multiples of 16.
        let at_once = self.gpu.tuning().launch_bytes;
        let most = (at_once / (text + ad + 2 * BLOCK)).max(4) & !3;
        for first in (0..rows.count).step_by(most) {
            let count = most.min(rows.count - first);
            let places =
                places((0..count).map(|i| (i * own_ad, rows.ad_bytes, i * text, rows.data_bytes)));
            let no_verdicts = Memory::uninit(&self.gpu, 4 * count, stream)?;
            let from = |start: Address, each: usize| start + (first * each) as u64;
            let batch = Batch {
                nonces: from(rows.nonces, nonce),
                places: &Memory::put(&self.gpu, &places, stream)?,
                ad: from(rows.ad, own_ad),
                data: from(rows.data, text),
                out: from(rows.out, text),
                tags: from(rows.tags, tag),
                verdicts: verdicts.map_or(no_verdicts.address, |start| from(start, 4)),
                count,
                each_bytes: rows.data_bytes + rows.ad_bytes,
            };
            launches.batch(stream, way, &batch)?;
        }
        Ok(())
    }
}
