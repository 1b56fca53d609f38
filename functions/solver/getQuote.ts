import { createGate } from '#shared/createGate.ts'
import { describeError } from '#shared/http/describeError.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import { type DriverQuote, type DriverQuoteQuery, driverQuoteQuerySchema } from '#shared/solvers/driverApi.ts'
import { checkRequest, createDriverApp } from './createDriverApp.ts'
import { DriverError } from './DriverError.ts'

export interface GetQuoteDeps {
  findQuote: (query: DriverQuoteQuery) => Promise<DriverQuote>
  /** clock, Unix milliseconds */
  now: () => number
}

/** Quotes of one isolate that read pools at once; the others find what these have read. */
const running = 4
const waiting = 512
/** Longest deadline of a quote that is worth the wait, milliseconds. */
const maxWaitMs = 20_000
/** No quote reads pools for so long, milliseconds. */
const leaseMs = 15_000

/** `GET /quote`: the best route for an amount, for an order that is not signed yet. */
export const getQuote = ({ findQuote, now }: GetQuoteDeps) => {
  const app = createDriverApp()
  const gate = createGate({
    running,
    waiting,
    waitMs: maxWaitMs,
    leaseMs,
    now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    refuse: () => new DriverError('Unavailable', 'too many quotes at once'),
  })
  app.get('/quote', async (c) => {
    const query = checkRequest(driverQuoteQuerySchema, c.req.query())
    const timeLeftMs = Date.parse(query.deadline) - now()
    if (timeLeftMs <= 0) throw new DriverError('DeadlineExceeded', 'the deadline has passed')
    const quoted = gate.pass('orderBook', () => findQuote(query).catch(toDriverError), timeLeftMs)
    // a caller that leaves must not keep the turn of its quote
    keepRunning(c, quoted)
    return c.json(toQuoteResponse(await quoted))
  })
  return app
}

/** A node that fails is not a lack of routes. */
const toDriverError = (error: unknown): never => {
  if (error instanceof DriverError) throw error
  console.error(JSON.stringify({ message: 'quote failed', path: '/quote', cause: describeError(error) }))
  throw new DriverError('Unavailable', 'the node of the solver failed')
}

const toQuoteResponse = ({ clearingPrices, preInteractions, interactions, solver, gas }: DriverQuote) => ({
  clearingPrices: Object.fromEntries(Object.entries(clearingPrices).map(([token, price]) => [token, String(price)])),
  preInteractions: preInteractions.map(toInteractionResponse),
  interactions: interactions.map(toInteractionResponse),
  solver,
  gas,
})

const toInteractionResponse = ({ target, value, callData }: DriverQuote['interactions'][number]) => ({
  target,
  value: String(value),
  callData,
})
