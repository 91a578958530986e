/// Back ends, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
{% for b in backends %}
    /// {{ b.name }}{{ ": " ~ b.features if b.features else ": any CPU" }}
{% if b.cfg %}
    #[cfg({{ b.cfg }})]
{% endif %}
    {{ b.name | capitalize }},
{% endfor %}
}

impl Backend {
    /// All that this target may have.
    pub const ALL: &'static [Self] = &[
{% for b in backends %}
{% if b.cfg %}
        #[cfg({{ b.cfg }})]
{% endif %}
        Self::{{ b.name | capitalize }},
{% endfor %}
    ];

    /// Whether this CPU has it. Does not change while a process lives.
    pub fn is_available(self) -> bool {
        match self {
{% for b in backends %}
{% if b.cfg %}
            #[cfg(all({{ b.cfg }}, feature = "std"))]
            Self::{{ b.name | capitalize }} => {% for f in b.features.split(",") %}std::arch::is_{{ "aarch64" if b.name == "aarch64" else "x86" }}_feature_detected!("{{ f }}"){{ " && " if not loop.last }}{% endfor %},
            #[cfg(all({{ b.cfg }}, not(feature = "std")))]
            Self::{{ b.name | capitalize }} => {% for f in b.features.split(",") %}cfg!(target_feature = "{{ f }}"){{ " && " if not loop.last }}{% endfor %},
{% else %}
            Self::{{ b.name | capitalize }} => true,
{% endif %}
{% endfor %}
        }
    }

    /// The fastest that this CPU has.
{% if backends | selectattr("name", "eq", "portable") | list %}
    pub fn best() -> Self {
        Self::ALL.iter().copied().rev().find(|b| b.is_available()).unwrap_or(Self::Portable)
    }
{% else %}
    ///
    /// # Panics
    ///
    /// Where this CPU has none: the crate was made without `portable`.
    pub fn best() -> Self {
        Self::ALL.iter().copied().rev().find(|b| b.is_available()).expect("this CPU has no back end of this crate")
    }
{% endif %}
}

/// A call of a back end that was found to be available.
macro_rules! on {
    ($backend:expr, $($call:tt)*) => {
        match $backend {
{% for b in backends %}
{% if b.cfg %}
            #[cfg({{ b.cfg }})]
            // SAFETY: a value of this variant is made where `is_available` holds.
            Backend::{{ b.name | capitalize }} => unsafe { {{ b.name }}::$($call)* },
{% else %}
            Backend::{{ b.name | capitalize }} => {{ b.name }}::$($call)*,
{% endif %}
{% endfor %}
        }
    };
}
