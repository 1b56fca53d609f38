import { describeError } from '#shared/http/describeError.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import { type DriverQuote, type DriverQuoteQuery, driverQuoteQuerySchema } from '#shared/solvers/driverApi.ts'
import { checkRequest, createDriverApp } from './createDriverApp.ts'
import { DriverError } from './DriverError.ts'

export interface GetQuoteDeps {
  /** `timeLeftMs` is the time to the deadline, milliseconds; `background` continues work after the response */
  findQuote: (
    query: DriverQuoteQuery,
    timeLeftMs: number,
    background: (work: Promise<unknown>) => void,
  ) => Promise<DriverQuote>
  /** clock, Unix milliseconds */
  now: () => number
}

/** `GET /quote`: the best route for an amount, for an unsigned order. */
export const getQuote = ({ findQuote, now }: GetQuoteDeps) => {
  const app = createDriverApp()
  app.get('/quote', async (c) => {
    const query = checkRequest(driverQuoteQuerySchema, c.req.query())
    const timeLeftMs = Date.parse(query.deadline) - now()
    if (timeLeftMs <= 0) throw new DriverError('DeadlineExceeded', 'the deadline has passed')
    const quoted = findQuote(query, timeLeftMs, (work) => keepRunning(c, work)).catch(toDriverError)
    // a client that disconnects must release the slot of its quote
    keepRunning(c, quoted)
    return c.json(toDriverQuoteResponse(await quoted))
  })
  return app
}

/** A failing node is not reported as a missing route. */
const toDriverError = (error: unknown): never => {
  if (error instanceof DriverError) throw error
  console.error(JSON.stringify({ message: 'quote failed', path: '/quote', cause: describeError(error) }))
  throw new DriverError('Unavailable', 'the node of the solver failed')
}

/** The body of `GET /quote`: amounts as decimal text. */
const toDriverQuoteResponse = ({
  clearingPrices,
  preInteractions,
  interactions,
  solver,
  gas,
  tolerancePpm,
}: DriverQuote) => ({
  clearingPrices: Object.fromEntries(Object.entries(clearingPrices).map(([token, price]) => [token, String(price)])),
  preInteractions: preInteractions.map(toInteractionResponse),
  interactions: interactions.map(toInteractionResponse),
  solver,
  gas,
  tolerancePpm,
})

const toInteractionResponse = ({ target, value, callData }: DriverQuote['interactions'][number]) => ({
  target,
  value: String(value),
  callData,
})
