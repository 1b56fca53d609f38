/** Cost of one phase of a tick: CPU of the whole process, round trips, bytes in both directions. */
export type Cost = { cpuMs: number; database: number; rpc: number; solver: number; bytes: number }

/** Phases of a tick, named after their request. */
export type Phase = 'index' | 'candidates' | 'balances' | 'prices' | 'store' | 'solve' | 'record'

export type Meter = {
  /** Costs by phase since the last call; phases without requests are missing. */
  read: () => Map<Phase, Cost>
  stop: () => void
}

type Backends = { databaseUrl: string; rpcUrl: string; settlementContract: string }

/**
 * Counts the requests of a tick by replacing the global `fetch`. CPU time counts for the phase of the newest request:
 * parsing a response belongs to its request, building a request to the phase before.
 */
export const meterFetch = (backends: Backends): Meter => {
  const realFetch = globalThis.fetch
  const databaseHost = new URL(backends.databaseUrl).host
  const rpcHost = new URL(backends.rpcUrl).host
  let costs = new Map<Phase, Cost>()
  let phase: Phase = 'index'
  let cpu = process.cpuUsage()

  const costOf = (name: Phase): Cost => {
    const cost = costs.get(name) ?? { cpuMs: 0, database: 0, rpc: 0, solver: 0, bytes: 0 }
    costs.set(name, cost)
    return cost
  }
  const chargeCpu = (): void => {
    const now = process.cpuUsage()
    costOf(phase).cpuMs += (now.user + now.system - cpu.user - cpu.system) / 1000
    cpu = now
  }

  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const kind = url.host === databaseHost ? 'database' : url.host === rpcHost ? 'rpc' : 'solver'
    const sent = typeof init?.body === 'string' ? init.body : input instanceof Request ? await input.clone().text() : ''
    chargeCpu()
    phase = toPhase(kind, url.pathname, sent, phase, backends)
    const cost = costOf(phase)
    cost[kind] += 1
    cost.bytes += sent.length
    const answer = await realFetch(input, init)
    const body = await answer.arrayBuffer()
    cost.bytes += body.byteLength
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
  return {
    read: () => {
      chargeCpu()
      const read = costs
      costs = new Map()
      phase = 'index'
      return read
    },
    stop: () => {
      globalThis.fetch = realFetch
    },
  }
}

const toPhase = (
  kind: 'database' | 'rpc' | 'solver',
  path: string,
  sent: string,
  before: Phase,
  { settlementContract }: Backends,
): Phase => {
  // a notice is sent beside everything else
  if (kind === 'solver' && path === '/notify') return before
  if (kind === 'solver') return path === '/quote' ? 'prices' : path === '/solve' ? 'solve' : 'record'
  const isEarly = before === 'index' || before === 'candidates' || before === 'balances' || before === 'prices'
  if (kind === 'rpc') {
    if (!isEarly) return before === 'store' ? 'solve' : before
    return before === 'index' || sent.includes(settlementContract) ? before : 'balances'
  }
  if (sent.includes('insert into \\"auctions\\"')) return 'record'
  if (sent.includes('nextval') || sent.includes('insert into \\"current_auctions\\"')) return 'store'
  if (sent.includes('\\"valid_from\\"')) return 'candidates'
  return before
}
