import { type ApiFailure, toApiFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import { readEventStream } from '../../api/readEventStream.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quoteInput.ts'

/**
 * Offers of a quote stream as they arrive, each better than the one before.
 * @throws ApiFailure without an offer
 */
export async function* streamQuotes(
  network: NetworkName,
  body: QuoteRequest,
  signal: AbortSignal,
): AsyncGenerator<Quote> {
  const stream = await read(
    client.POST('/{network}/api/v1/quote/stream', { params: { path: { network } }, body, parseAs: 'stream', signal }),
  )
  for await (const { name, data } of readEventStream(stream)) {
    if (name === 'message') yield JSON.parse(data) as Quote
    if (name === 'error') throw toStreamFailure(JSON.parse(data))
  }
}

/** After the response has begun, an error arrives as an event with the body of an error response. */
const toStreamFailure = (body: unknown): ApiFailure => toApiFailure(body, new Response(null, { status: 400 }))
