//! The arguments of `assess`.

use crate::choice::{choice, choice_but};
use clap::{Args, Subcommand};
use sibyl_api::{
    ApiError, AssessedIndustry, AssessmentLevel, AssessmentScope, Edition, LeftOut, PackCells, PackFormat,
    ReviewStatus,
};
use std::path::PathBuf;

const ASSESS_EXAMPLES: &str = "Examples:
  sibyl assess new \"FY2024 review\" --report northwind-2024 --standard ifrs_s2 --industry IF-EU --mandatory
  sibyl assess run 1                                     proposals for every requirement in every report
  sibyl assess show \"FY2024 review\"                      what is decided and what is open
  sibyl assess show 1 --requirement 'S2.14(a)(iv)' --report northwind-2024
  sibyl assess decide 1 'S2.14(a)(iv)' --report northwind-2024 --status met --reviewer \"M. Okafor\"
  sibyl assess compare 1 --from northwind-2023 --to northwind-2024
  sibyl assess propose 1 'S2.14(a)(iv)' --report northwind-2024 --program reader --finding partly \\
    --reason \"It names the plan, not its costs\" --quote \"28=We will close the last coal plant by 2030.\"
  sibyl assess confirm 1 7 --reviewer \"M. Okafor\"      records a program's proposal as a decision
  sibyl assess export 1 --format docx
  sibyl assess verify \"FY2024 review.json\"\n  sibyl assess import \"FY2024 review.json\"";

/// Options of `assess`.
#[derive(Debug, Args)]
#[command(after_help = ASSESS_EXAMPLES)]
pub struct Assess {
    #[command(subcommand)]
    pub command: AssessCommand,
}

/// What to do with assessments.
#[derive(Debug, Subcommand)]
pub enum AssessCommand {
    /// List the assessments
    List,
    /// Show what reports can be assessed against, and the industry of each report
    Scope {
        /// Report (repeatable)
        #[arg(long, value_name = "REPORT_ID")]
        report: Vec<String>,
        #[command(flatten)]
        scope: ScopeArguments,
    },
    /// Make an assessment
    New {
        /// Its name
        name: String,
        /// Report (repeatable)
        #[arg(long, value_name = "REPORT_ID", required = true)]
        report: Vec<String>,
        #[command(flatten)]
        scope: ScopeArguments,
        /// Who decides (repeatable)
        #[arg(long)]
        reviewer: Vec<String>,
    },
    /// Make the proposals that are missing or out of date
    Run {
        /// Name or number of the assessment, as `sibyl assess list` shows it
        assessment: String,
    },
    /// Show an assessment, or one requirement in one report
    Show {
        /// Name or number of the assessment
        assessment: String,
        /// Identifier of the requirement
        #[arg(long, requires = "report")]
        requirement: Option<String>,
        /// The report
        #[arg(long, value_name = "REPORT_ID", requires = "requirement")]
        report: Option<String>,
        /// Only what is not decided yet
        #[arg(long)]
        open: bool,
    },
    /// Decide on one requirement or several in one report
    Decide {
        /// Name or number of the assessment
        assessment: String,
        /// Identifiers of the requirements
        #[arg(required = true)]
        requirements: Vec<String>,
        /// The report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// The decision
        #[arg(long, value_parser = choice::<ReviewStatus>())]
        status: ReviewStatus,
        /// The reviewer's note; it is required to mark several requirements as not applicable
        #[arg(long)]
        note: Option<String>,
        /// Who decides
        #[arg(long, default_value = "")]
        reviewer: String,
        /// Pin the proposed passages
        #[arg(long)]
        pin: bool,
    },
    /// Show what changed between two reports: two years, two versions, or two issuers
    Compare {
        /// Name or number of the assessment
        assessment: String,
        /// The earlier report
        #[arg(long, value_name = "REPORT_ID")]
        from: String,
        /// The later report
        #[arg(long, value_name = "REPORT_ID")]
        to: String,
        /// Identifier of a requirement; shows its passages in both reports
        #[arg(long)]
        requirement: Option<String>,
    },
    /// Confirm decisions that are carried over from the issuer's earlier report
    CarryOver {
        /// Name or number of the assessment
        assessment: String,
        /// Identifiers of the requirements
        #[arg(required = true)]
        requirements: Vec<String>,
        /// The later report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// Who confirms
        #[arg(long, default_value = "")]
        reviewer: String,
    },
    /// Propose a finding under a program's name; a person confirms or dismisses it
    Propose {
        /// Name or number of the assessment
        assessment: String,
        /// Identifier of the requirement
        requirement: String,
        /// The report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// Name of the program
        #[arg(long)]
        program: String,
        /// The finding
        #[arg(long, value_parser = choice_but::<ReviewStatus>("open"))]
        finding: ReviewStatus,
        /// Why
        #[arg(long)]
        reason: String,
        /// Words of the report, exactly as written; put their page first if they appear on several (repeatable)
        #[arg(long, value_name = "[PAGE=]WORDS")]
        quote: Vec<String>,
    },
    /// Confirm a program's proposal, which becomes a decision with its quotes pinned
    Confirm {
        /// Name or number of the assessment
        assessment: String,
        /// Number of the proposal, as `sibyl assess show` prints it
        proposal: i64,
        /// Who confirms
        #[arg(long, default_value = "")]
        reviewer: String,
        /// The reviewer's note [default: the note already there, or else the program's reason]
        #[arg(long)]
        note: Option<String>,
    },
    /// Dismiss a program's proposal, which deletes it
    Dismiss {
        /// Name or number of the assessment
        assessment: String,
        /// Number of the proposal
        proposal: i64,
    },
    /// Write an assessment to a file
    Export {
        /// Name or number of the assessment
        assessment: String,
        /// Form of the file
        #[arg(long, value_parser = choice::<PackFormat>(), default_value = "xlsx")]
        format: PackFormat,
        /// Which cells it has; the summary counts everything
        #[arg(long, value_parser = choice::<PackCells>(), default_value = "all")]
        only: PackCells,
        /// Where to write it [default: the name of the assessment, here]
        #[arg(long)]
        out: Option<PathBuf>,
        /// Sign it with your own key; the signature is written beside it, with .minisig added to its name
        #[arg(long)]
        sign: bool,
    },
    /// Check the signature of a pack and, for a pack in JSON, whether it still agrees with reports and library
    Verify {
        /// The file
        pack: PathBuf,
        /// The public key that it must be signed with [default: your own, or else the one that the signature
        /// states]
        #[arg(long, value_name = "PUBLIC_KEY")]
        key: Option<String>,
    },
    /// Make or show the key that packs are signed with
    Key {
        #[command(subcommand)]
        command: AssessKeyCommand,
    },
    /// Import the decisions of a pack in JSON; where the library has decided otherwise, its decision stays
    Import {
        /// The file
        pack: PathBuf,
    },
    /// Delete an assessment with its proposals; decisions stay
    Delete {
        /// Name or number of the assessment
        assessment: String,
    },
}

/// What to do with the key that packs are signed with.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum AssessKeyCommand {
    /// Make a key; its secret half stays in the system keychain
    New {
        /// Replace the existing key, which is then lost
        #[arg(long)]
        replace: bool,
    },
    /// Show the public half, which others need to check your signatures
    Show,
}

/// The requirements that reports are held against.
#[derive(Debug, Args)]
pub struct ScopeArguments {
    /// Standard with paragraphs: ifrs_s2, ifrs_s1 … (repeatable)
    #[arg(long, value_name = "SOURCE_TYPE")]
    pub standard: Vec<String>,
    /// SASB industry, such as IF-EU; for some of the reports: IF-EU=REPORT_ID,REPORT_ID (repeatable)
    #[arg(long, value_name = "CODE[=REPORTS]")]
    pub industry: Vec<String>,
    /// By paragraph instead of by item
    #[arg(long)]
    pub paragraphs: bool,
    /// Only what is mandatory
    #[arg(long)]
    pub mandatory: bool,
    /// Leave out a requirement and everything below it, with the reason: ID=REASON (repeatable)
    #[arg(long, value_name = "ID=REASON")]
    pub leave_out: Vec<String>,
    /// Edition of IFRS S2 [default: the one in force]
    #[arg(long, value_parser = choice::<Edition>())]
    pub edition: Option<Edition>,
}

impl TryFrom<ScopeArguments> for AssessmentScope {
    type Error = ApiError;

    fn try_from(words: ScopeArguments) -> Result<Self, ApiError> {
        let left_out = words.leave_out.iter().map(|left| {
            let (id, reason) = left.split_once('=').ok_or_else(|| {
                ApiError::invalid(format!(
                    "--leave-out takes ID=REASON, such as 'S2.7=says how to write', not `{left}`"
                ))
            })?;
            Ok(LeftOut { id: id.to_owned(), reason: reason.to_owned() })
        });
        let industries = words.industry.iter().map(|industry| {
            let (code, reports) = industry.split_once('=').unwrap_or((industry, ""));
            let reports = reports.split(',').filter(|report| !report.is_empty()).map(str::to_owned);
            AssessedIndustry { code: code.to_owned(), reports: reports.collect() }
        });
        Ok(Self {
            industries: industries.collect(),
            level: if words.paragraphs { AssessmentLevel::Paragraph } else { AssessmentLevel::Item },
            mandatory: words.mandatory,
            edition: words.edition,
            left_out: left_out.collect::<Result<_, ApiError>>()?,
            standards: words.standard,
        })
    }
}
