import type { Address } from 'viem'
import type { ClientQuote, World } from '../../world.ts'

type QuoteTerms = { sellToken: Address; buyToken: Address; onchainOrder?: boolean } & Record<string, unknown>

/** Requests a quote through the gateway; undefined when it is refused. */
export const requestClientQuote = async (
  world: World,
  trader: string,
  terms: QuoteTerms,
): Promise<ClientQuote | undefined> => {
  const requestedAt = world.chain.head().number
  const response = await world.service.gateway.fetch('http://gateway/sepolia/api/v1/quote', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  })
  const answer = (await response.json()) as ClientQuote & { errorType?: string }
  world.log('quoted', { trader, status: response.status, errorType: answer.errorType, id: answer.id, ...answer.quote })
  const { sellToken, buyToken, onchainOrder: isForChain = false } = terms
  const quoted = response.status === 200 ? answer : undefined
  world.quotes.push({
    sellToken,
    buyToken,
    isForChain,
    requestedAt,
    respondedAt: world.chain.head().number,
    quoted,
    status: response.status,
  })
  return quoted
}
