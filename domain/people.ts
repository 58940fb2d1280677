/** A recipient's phone (specification 5): digits, spaces and dashes, at least 7 characters, with an optional extension. */
const DELIVERY_PHONE = /^\+?[0-9\s-]{7,}(?:(?:#|x\.?|ext\.?|extension)\s*[0-9]+)?$/i

/** Whether a recipient's phone can be dialled: by the pattern, and longer than 6 characters. */
export const isDeliveryPhone = (phone: string): boolean => {
  const trimmed = phone.trim()
  return trimmed.length > 6 && /[0-9]/.test(trimmed) && DELIVERY_PHONE.test(trimmed)
}
