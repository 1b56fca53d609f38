import type { McpTool } from '../../functions/gateway/mcp/mcpTools.ts'

/** A page of the documentation as Markdown. */
export type DocsPage = { name: string; text: string }

/**
 * `/llms.txt`: an index of the service for language models (llmstxt.org): title, summary, sections with links.
 * @param pages in `/docs/`
 */
export const buildLlmsText = (pages: readonly DocsPage[], tools: Readonly<Record<string, McpTool>>): string =>
  [
    '# edgebook',
    '',
    '> Trade ERC-20 tokens with signed orders that competing solvers settle on-chain: quote, sign, place, follow.',
    '',
    'The service never holds keys: a client signs the typed data of a quote. Amounts are decimal strings of atoms. Networks are',
    'the first segment of a path. Each error has a class that says what to do: fix, wait, retry or final.',
    '',
    '## API',
    '',
    '- [OpenAPI 3.1 document](/openapi.json): every route with its parameters, responses and errors',
    '- [AsyncAPI 3.0 document](/asyncapi.json): every message of the WebSocket',
    '- [Networks and contracts](/): JSON; a page for browsers',
    '- [Errors](/errors): code, class, meaning and cure of every error',
    '- [Rate limits](/limits): requests for each client',
    '- [Status](/status.json): state of every network',
    '- [Catalogue of APIs](/.well-known/api-catalog): the same as a link set (RFC 9727)',
    '',
    '## Tools',
    '',
    'MCP endpoint: `POST /mcp`, streamable HTTP without sessions. No tool signs, places or stores an order.',
    '',
    ...Object.entries(tools).map(([name, { description }]) => `- \`${name}\`: ${description}`),
    '',
    '## Docs',
    '',
    ...pages.map(({ name, text }) => `- [${findTitle(text)}](/docs/${name})`),
    '',
  ].join('\n')

const findTitle = (text: string): string => /^# (.*)$/m.exec(text)?.[1] ?? ''
