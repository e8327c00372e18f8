//! Wire types as TypeScript declares them.

mod optional;

use optional::Fields;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use ts_rs::{Config, TS, TypeVisitor};

/// Collects declarations.
pub(crate) struct Types {
    config: Config,
    seen: HashSet<TypeId>,
    declarations: BTreeMap<String, String>,
}

impl Types {
    pub(crate) fn new() -> Self {
        let config = Config::new().with_large_int("number");
        Self { config, seen: HashSet::new(), declarations: BTreeMap::new() }
    }

    /// Declares `T` and what it consists of, and gives its name.
    pub(crate) fn name<T: TS + 'static>(&mut self) -> String {
        self.visit::<T>();
        T::name(&self.config)
    }

    /// Declares `T` and what it consists of, and gives the type of a `T` that a caller writes: fields that serde has
    /// a default for may be left out.
    ///
    /// # Panics
    /// Where serde cannot tell which fields those are, see [`optional::fields`].
    pub(crate) fn input<T: TS + DeserializeOwned + 'static>(&mut self) -> String {
        let name = self.name::<T>();
        let fields = optional::fields::<T>();
        let Fields { required, optional } =
            fields.unwrap_or_else(|why| panic!("the input `{name}` cannot be typed: {why}"));
        if optional.is_empty() {
            return name;
        }
        if required.is_empty() {
            return format!("Partial<{name}>");
        }
        let optional: Vec<String> = optional.iter().map(|field| format!("\"{field}\"")).collect();
        format!("Optional<{name}, {}>", optional.join(" | "))
    }

    /// One declaration for each type, by name.
    pub(crate) fn declarations(&self) -> impl Iterator<Item = &str> {
        self.declarations.values().map(String::as_str)
    }
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let declaration = T::decl(&self.config);
            let name = T::ident(&self.config);
            let known = self.declarations.entry(name.clone()).or_insert_with(|| declaration.clone());
            assert!(*known == declaration, "two types are called {name} on the wire; rename one");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}
