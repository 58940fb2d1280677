export const BookingPage = () => <p>BookingPage</p>
