import { DurableObject } from 'cloudflare:workers'
import { countSlots, type Slot, type SlotRequest } from './countSlots.ts'

/** How many streams one client has open, on whatever accounts: one object for each client. */
export class ClientSlots extends DurableObject {
  readonly #taken = new Map<string, Slot>(this.ctx.storage.kv.list<Slot>())

  /** @returns false when all are taken */
  async take(id: string, { max, ...slot }: SlotRequest): Promise<boolean> {
    const { over, held } = countSlots(this.#taken, slot, Date.now())
    for (const old of over) this.#remove(old)
    if (held >= max) return false
    this.#taken.set(id, slot)
    this.ctx.storage.kv.put(id, slot)
    return true
  }

  async free(id: string): Promise<void> {
    this.#remove(id)
  }

  #remove(id: string): void {
    this.#taken.delete(id)
    this.ctx.storage.kv.delete(id)
  }
}
