// All specifications that come with warpcheck.
#pragma once

#include <simt/spec/barrier.hpp>
#include <simt/spec/bounded_queue.hpp>
#include <simt/spec/consensus.hpp>
#include <simt/spec/containers.hpp>
#include <simt/spec/counter.hpp>
#include <simt/spec/dcas.hpp>
#include <simt/spec/deque.hpp>
#include <simt/spec/load_linked.hpp>
#include <simt/spec/map.hpp>
#include <simt/spec/priority_queue.hpp>
#include <simt/spec/priority_set.hpp>
#include <simt/spec/queue.hpp>
#include <simt/spec/register.hpp>
#include <simt/spec/semaphore.hpp>
#include <simt/spec/set.hpp>
#include <simt/spec/stack.hpp>
#include <simt/spec/stm.hpp>
#include <simt/spec/three_stacks.hpp>
#include <simt/spec/work_deque.hpp>
