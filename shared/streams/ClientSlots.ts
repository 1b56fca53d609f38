import { DurableObject } from 'cloudflare:workers'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { countSlots, type Slot, type SlotRequest } from './countSlots.ts'

/** Counts the open streams of one client across all accounts: one object per client. */
export class ClientSlots extends DurableObject {
  static {
    limitObjects(ClientSlots)
  }

  readonly #taken = new Map<string, Slot>(this.ctx.storage.kv.list<Slot>())

  /** @returns false when all slots are taken */
  async take(id: string, { max, ...slot }: SlotRequest): Promise<boolean> {
    const { over, isFull } = countSlots(this.#taken, { max, ...slot }, Date.now())
    for (const old of over) this.#remove(old)
    if (isFull) return false
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
