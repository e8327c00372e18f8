//! Every screen and state that is opened by more than one test.

/// Screens and states: address, and what is shown once it is complete.
pub const SCREENS: &[(&str, &str, &str)] = &[
    ("#/library?corpus=ifrs-s2", "[data-testid=library-corpora]", "sasb"),
    ("#/standards/S2.14(a)(iv)", "#standards-title", "Climate transition plan"),
    ("#/standards/EM-EP-110a.1", "#standards-title", "EM-EP-110a.1"),
    ("#/chunk-lab?document=1", "[data-testid=chunk-lab-stats]", "chunks"),
    ("#/chunk-lab?document=1&view=compare&b=recursive", "main table", "Median tokens"),
    ("#/search-lab?q=transition%20plan%20S2.14(a)(iv)", "[aria-label='Fused list']", "S2.14"),
    ("#/search-lab?q=qqqqzzzz&mode=keyword", "main", "contains these words"),
    ("#/search-lab?q=climate%20AND%20(&structured=1", "main", "has a syntax error"),
    ("#/ask?from=questions", "main", "Questions that the standards answer"),
    ("#/ask?from=selection", "main", "Selected text only"),
    ("#/evaluate", "main", "Import"),
    ("#/standards/S2.999", "main", "The standards don’t contain"),
    ("#/chunk-lab?document=99999", "main", "99999"),
    ("#/settings/data", "[data-row=folder]", "folder"),
    ("#/settings/keyboard", "[data-row=shortcuts]", "Ctrl"),
    ("#/settings/models", "[data-row=coverage]", "vectors"),
    ("#/settings/about", "main", "Licences"),
];
