//! The server: lists the tools and runs their calls.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use entente_tools::{
    Answer, Arguments, Failure, Refusal, Report, Running, Shared, Step, TOOLS, Tool, schema,
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
        Tool as Listed, ToolAnnotations,
    },
    service::RequestContext,
};

/// What a model should know of all tools.
const INSTRUCTIONS: &str = "\
Chess positions that are certainly legal: each comes with a game from the initial position. Do not make up FENs; ask \
'generate' for a position that satisfies a constraint. Constraints look like 'Q=0 q=0 R-r=1' (no queens, White a rook \
ahead), 'material=KRPvKR turn=white', '(1,2,1,1,7)' (White's queens, rooks, bishops, knights, pawns), 'checkmate N@f7 \
k@h8', 'isolated(P@d)', 'theme=fork', 'eval>=300'; capital letters are White's men, small ones Black's, and conditions \
are joined by spaces (and), '|' (or) and '!' (not). 'check' says what a constraint means and why it may be impossible; \
'prove' says whether a diagram is legal, with a game; 'solve' finds the best line and how hard it is to see; 'play' \
plays a move; 'policy' says which moves people play; 'draw' draws a board.";

/// The server of one client.
#[derive(Default)]
pub(super) struct Server {
    shared: Shared,
}

fn listed(tool: &Tool) -> Listed {
    let hints = ToolAnnotations::with_title(tool.title).read_only(true).destructive(false).open_world(false);
    Listed::new(tool.name, tool.help, schema(&tool.inputs)).with_title(tool.title).with_annotations(hints)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("entente", env!("CARGO_PKG_VERSION")).with_title("Entente"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(|tool| listed(tool)).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.into_iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let reason = format!("{}: no such tool; expected one of {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(reason, None));
        };
        let result = match Arguments::read(&tool.inputs, &request.arguments.unwrap_or_default()) {
            Ok(arguments) => self.run(tool, arguments, &context).await,
            Err(refusal) => Err(refusal),
        };
        let result = match result {
            Ok(answer) => result_of(answer),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
        };
        Ok(result.into())
    }
}

impl Server {
    /// Runs a tool on a thread of its own. It is stopped when its time is over or the client cancels the call.
    async fn run(
        &self,
        tool: &'static Tool,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answer, Refusal> {
        // The work stops also if this future is dropped, as for a client that is gone.
        let mut running = Running::start(tool, arguments, self.shared.clone(), ());
        loop {
            let step = tokio::select! {
                biased;
                () = context.ct.cancelled() => return Err(Refusal::failure("the call was cancelled")),
                step = running.next() => step,
            };
            match step {
                Step::Report(report) => tell(context, report).await,
                Step::Tick => {}
                Step::Done(result) => return result.map_err(Failure::into_refusal),
            }
        }
    }
}

/// Sends a report of progress to a client that gave a token for it.
async fn tell(context: &RequestContext<RoleServer>, report: Report) {
    let Report::Progress { done, total, message } = report else { return };
    let Some(token) = context.meta.get_progress_token() else { return };
    let mut notification = ProgressNotificationParam::new(token, done as f64).with_message(message);
    if let Some(total) = total {
        notification = notification.with_total(total as f64);
    }
    // A client that is gone ends the whole session.
    let _ = context.peer.notify_progress(notification).await;
}

fn result_of(answer: Answer) -> CallToolResult {
    let mut content = vec![ContentBlock::text(answer.text)];
    if let Some((bytes, mime)) = answer.image {
        content.push(ContentBlock::image(BASE64_STANDARD.encode(bytes), mime));
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(answer.value);
    result
}
