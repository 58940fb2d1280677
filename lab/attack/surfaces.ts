/** The surfaces of an attack; `office` means all of them with an admin's rights. */
export const SURFACES = [
  'rest',
  'websocket',
  'polling',
  'files',
  'uploads',
  'functions',
  'office',
] as const

export type Surface = (typeof SURFACES)[number]
