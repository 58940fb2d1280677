declare const unit: unique symbol

/**
 * A number in a unit. A number in another unit is a type error where it is expected; a plain
 * number, such as the result of a calculation, is not.
 */
type NumberIn<Unit extends string> = number & { readonly [unit]?: Unit }

export type Kilometers = NumberIn<'km'>
export type Meters = NumberIn<'m'>
export type Milliseconds = NumberIn<'ms'>
export type Seconds = NumberIn<'s'>
export type Minutes = NumberIn<'min'>
export type Hours = NumberIn<'h'>
/** A whole number of a currency's smallest units, such as cents. */
export type MinorUnits = NumberIn<'minor units'>
