// Arms, moves and stops a million of Go's timers for each line of input, "ordered" or "random"; answers with the
// nanoseconds of processor time for one call of time.AfterFunc, Timer.Reset and Timer.Stop, and the bytes of a timer.
//
// The garbage is collected between the pieces of work, never within one.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
	"unsafe"
)

const count = 1000000

// The processor time of this process in nanoseconds: clock 2 of clock_gettime(2).
func clock() int64 {
	var time syscall.Timespec
	_, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 2, uintptr(unsafe.Pointer(&time)), 0)
	if err != 0 {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return time.Nano()
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func due() time.Duration {
	return time.Hour + time.Duration(rand.Intn(3600000))*time.Millisecond
}

func run(orders [][]int) {
	first, second := make([]time.Duration, count), make([]time.Duration, count)
	for i := range first {
		first[i], second[i] = due(), due()
	}
	timers, fired := make([]*time.Timer, count), make([]int32, count)
	before := heap()
	start := clock()
	for visit, i := range orders[0] {
		session := &fired[i]
		timers[i] = time.AfterFunc(first[visit], func() { *session++ })
	}
	armed := clock()
	bytes := heap() - before
	resumed := clock()
	for visit, i := range orders[1] {
		timers[i].Reset(second[visit])
	}
	moved := clock()
	for _, i := range orders[2] {
		timers[i].Stop()
	}
	stopped := clock()
	runtime.KeepAlive(timers)
	runtime.KeepAlive(first)
	each := func(span int64) float64 { return float64(span) / count }
	fmt.Printf("%.2f %.2f %.2f %d\n", each(armed-start), each(moved-resumed), each(stopped-moved), bytes/count)
}

func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		// Another order for each piece of work: timers made in the order of the visits lie in that order in memory.
		orders := make([][]int, 3)
		for work := range orders {
			orders[work] = make([]int, count)
			for i := range orders[work] {
				orders[work][i] = i
			}
			if input.Text() == "random" {
				orders[work] = rand.Perm(count)
			}
		}
		run(orders)
		runtime.Gosched()
		runtime.GC()
	}
}
