-- One request of fifty meets the bug.
local count = 0

request = function()
  count = count + 1
  local lines = count % 50 == 0 and 0 or 12
  return wrk.format("GET", "/order?customer=somebody&lines=" .. lines)
end
