//! Optional content: which layers are shown when the file is opened.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier};
use std::collections::HashSet;

/// The layers that are off in the file's default view.
#[derive(Default)]
pub(super) struct Layers {
    off: HashSet<ObjectIdentifier>,
}

impl Layers {
    /// Reads `/OCProperties /D` of the catalog (ISO 32000-1, 8.11.4.3).
    pub(super) fn new(pdf: &Pdf, catalog: &Dict<'_>) -> Self {
        let Some(properties) = catalog.get::<Dict<'_>>("OCProperties") else { return Self::default() };
        if !pdf.xref().has_optional_content_groups() {
            return Self::default();
        }
        let view = properties.get::<Dict<'_>>("D").unwrap_or_default();
        let base_off = view.get::<Name<'_>>("BaseState").is_some_and(|n| n.as_ref() == b"OFF");
        let mut off: HashSet<_> = if base_off { refs(&properties, "OCGs").collect() } else { HashSet::new() };
        for id in refs(&view, "ON") {
            off.remove(&id);
        }
        off.extend(refs(&view, "OFF"));
        Self { off }
    }

    /// Whether content of the layer (or membership dictionary) is shown.
    pub(super) fn visible(&self, own: Option<ObjRef>, layer: &Dict<'_>) -> bool {
        if self.off.is_empty() {
            return true;
        }
        if layer.get::<Name<'_>>("Type").is_none_or(|kind| kind.as_ref() != b"OCMD") {
            return own.is_none_or(|id| !self.off.contains(&id.into()));
        }
        let members: Vec<bool> = match layer.get_ref("OCGs") {
            Some(id) if layer.get::<Array<'_>>("OCGs").is_none() => vec![self.on(id)],
            _ => refs(layer, "OCGs").map(|id| !self.off.contains(&id)).collect(),
        };
        if members.is_empty() {
            return true;
        }
        match layer.get::<Name<'_>>("P").as_deref() {
            Some(b"AllOn") => members.iter().all(|on| *on),
            Some(b"AnyOff") => members.iter().any(|on| !on),
            Some(b"AllOff") => members.iter().all(|on| !on),
            _ => members.iter().any(|on| *on),
        }
    }

    fn on(&self, id: ObjRef) -> bool {
        !self.off.contains(&id.into())
    }
}

fn refs<'a>(dict: &Dict<'a>, key: &str) -> impl Iterator<Item = ObjectIdentifier> + use<'a> {
    let array = dict.get::<Array<'a>>(key).unwrap_or_default();
    array.raw_iter().filter_map(|item: MaybeRef<Object<'_>>| item.as_obj_ref().map(Into::into))
}
