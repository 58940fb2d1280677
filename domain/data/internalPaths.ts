/**
 * Paths below `internal`, which only functions read and write. Apart from the other paths, because
 * the web app does not need them.
 */
export const internalPaths = {
  /** The last new-message notice to one party of a chat. */
  chatNotice: (booking: string, uid: string) => `internal/chat_notices/${booking}_${uid}`,
  /** Messages that leave the platform; only functions read and write them. */
  outbox: 'internal/outbox',
  outboxMessage: (id: string) => `internal/outbox/${id}`,
  /** The office's decisions about messages, and the details of the business for receipts. */
  messageSettings: 'internal/message_settings/current',
  /** The costs of the messages of a month in one currency. */
  messageTotal: (key: string) => `internal/message_totals/${key}`,
  /** The messages of a day that a customer, a driver or an address caused or received. */
  messageCounts: 'internal/message_counts',
  messageCount: (key: string) => `internal/message_counts/${key}`,
  /** The device of a person that was registered last; `push_tokens` has all devices. */
  namedDevices: 'internal/named_devices',
  namedDevice: (uid: string) => `internal/named_devices/${uid}`,
  /** The optional messages that a person has turned off. */
  messagePreferences: (uid: string) => `internal/message_preferences/${uid}`,
  /** A phone number or e-mail address that gets no messages; the key is its hash. */
  messageOptOut: (hash: string) => `internal/message_opt_outs/${hash}`,
  /** When the bank details of a person last changed. */
  bankChange: (uid: string) => `internal/bank_changes/${uid}`,
  /** Counts the decisions about an account's approval. */
  approvalDecision: (uid: string) => `internal/approval_decisions/${uid}`,
  /** Referral bonuses that wait for their payment; the keys are `uid_referred`. */
  pendingBonuses: 'internal/pending_bonuses',
  pendingBonus: (uid: string, referred: string) => `internal/pending_bonuses/${uid}_${referred}`,
  /** The office's note about a person. */
  personNote: (uid: string) => `internal/person_notes/${uid}`,
  /** The questions of a booking's customer to the office. */
  helpCases: 'internal/help_cases',
  helpCase: (booking: string) => `internal/help_cases/${booking}`,
  /** The times of a rider's latest cancellations without a fee and amendments. */
  allFreeActions: 'internal/free_actions',
  freeActions: (uid: string) => `internal/free_actions/${uid}`,
  /** The last push about amendments of a booking, and what the next one adds. */
  amendmentNotices: 'internal/amendment_notices',
  amendmentNotice: (booking: string) => `internal/amendment_notices/${booking}`,
  /** The inputs that decided one offer, or the offers of one round. */
  offerDecisions: 'internal/offer_decisions',
  offerDecision: (booking: string, n: string) => `internal/offer_decisions/${booking}_${n}`,
  roundDecision: (round: string) => `internal/offer_decisions/${round}`,
  /** Counts for the monthly report about dispatch; the keys are `yyyy-mm_uid`. */
  driverMonths: 'internal/driver_months',
  driverMonth: (month: string, uid: string) => `internal/driver_months/${month}_${uid}`,
  /** A driver's time on duty and income of the shift. */
  driverShift: (uid: string) => `internal/driver_shifts/${uid}`,
  /** The progress of a scheduled job that resumes where it stopped. */
  job: (name: string) => `internal/jobs/${name}`,
  /** The progress of broadcasts that are not complete. */
  broadcasts: 'internal/broadcasts',
  broadcast: (id: string) => `internal/broadcasts/${id}`,
} as const
