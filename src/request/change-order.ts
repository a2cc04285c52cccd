/** What people put in front of an order, and how they dress one as a question. */
const opening =
  /^(?:(?:hmm+|ok(?:ay)?|yes|well|wait|actually|please|pls|sorry|hey|hi|maybe|and|but|also|then|just|rather|better)\b[\s,.:;–-]*)+/i;
const polite = /^(?:can|could|would|will) (?:you|we) (?:please |also |just |rather )*/i;
/** How an order to change a plan begins. */
const order =
  /^(?:use|make|take|set|change|switch|replace|put|move|go (?:with|for|to)|let['’]?s|limit|threshold|raise|lower|increase|decrease|reduce|bump|do(?:n['’]?t| not)|no need to|never|instead|without|skip|drop|leave|remove|omit|cut|delete|add|include|only|just|not|with|assign|give|file|every|each|until|since|last|stop on|(?:at|over|under|more than|fewer than|at least) \d|page|post|tell|send|notify|message|dm|ping|alert|inform|say|write|count|check|list|look|search|show|create|open|comment|ack(?:nowledge)?|resolve|close)\b/i;
/** A new value and nothing else: "P2", "P2 instead", "> 15", "#ops instead", "PAY-4 too". */
const bareValue =
  /^(?:P[1-5]s?|[<>≥≤]=?\s*\d+|[#@]?[\w-]+ (?:instead|too|as well))(?: please| instead)?[.!]*$/i;

/**
 * Whether a reply reads like an order to the plan. In its thread people talk to each other as well: "is PAY affected,
 * too?", "@ana can you approve?", "I saw some P2s". Each of these names something that a plan could be changed to.
 */
export function isChangeOrder(words: string): boolean {
  const said = words.trim().replace(opening, '');
  const asked = said.replace(polite, '');
  if (said.endsWith('?') && asked === said) return false;
  return order.test(asked) || bareValue.test(asked);
}
