// A driver for every core with the AEAD interface, on Verilator. It shares nothing with the bench in
// Python: messages and what is wanted of them come from a file, and everything else is here.
//
//   bench MESSAGES SEED COVERAGE
//
// A line of MESSAGES: name, 0 or 1 for decryption, key, nonce, associated data, data, tag, wanted
// output, wanted tag, 1 if it is right, 1 if it is refused for its length; in hexadecimal, a dash for
// nothing. Messages run four times: without stalls, with stalls at random, with resets in the middle,
// and again without. Exit 1 names the first message that went wrong.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "Vtop.h"
#include "verilated.h"
#include "verilated_cov.h"

using Bytes = std::vector<uint8_t>;

// Verilator's types of ports: an integer up to 64 bits, else an array of words of 32.
template <class Port>
void put(Port& port, const Bytes& bytes) {
    if constexpr (std::is_integral_v<Port>) {
        uint64_t value = 0;
        for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
        port = static_cast<Port>(value);
    } else {
        for (size_t w = 0; w < sizeof(port) / 4; ++w) port[w] = 0;
        for (size_t i = 0; i < bytes.size(); ++i) port[i / 4] |= uint32_t{bytes[i]} << 8 * (i % 4);
    }
}

template <class Port>
Bytes get(const Port& port, size_t count) {
    Bytes bytes(count);
    for (size_t i = 0; i < count; ++i) {
        if constexpr (std::is_integral_v<Port>) bytes[i] = uint64_t{port} >> 8 * i & 0xff;
        else bytes[i] = port[i / 4] >> 8 * (i % 4) & 0xff;
    }
    return bytes;
}

struct Message {
    std::string name;
    bool decrypt, right, refused;
    Bytes key, nonce, ad, data, tag, want, want_tag;
};

struct Block {
    Bytes data;
    unsigned bytes;
    bool last;
    bool operator==(const Block&) const = default;
};

struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Bytes from_hex(const std::string& text) {
    Bytes bytes;
    if (text == "-") return bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2) bytes.push_back(std::stoul(text.substr(i, 2), nullptr, 16));
    return bytes;
}

std::vector<Message> read(const char* name) {
    std::ifstream file(name);
    std::vector<Message> messages;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::array<std::string, 11> w;
        for (auto& word : w)
            if (!(words >> word)) throw Wrong("a line with too few words: " + line);
        messages.push_back({w[0], w[1] == "1", w[9] == "1", w[10] == "1", from_hex(w[2]), from_hex(w[3]),
                            from_hex(w[4]), from_hex(w[5]), from_hex(w[6]), from_hex(w[7]), from_hex(w[8])});
    }
    if (messages.empty()) throw Wrong("no messages");
    return messages;
}

// What one message has sent and received so far. A core that interleaves has several at once.
struct Stream {
    const Message* message = nullptr;
    bool requested = false, offered = false, waiting = false;
    std::deque<Block> blocks;
    Bytes out;
    Block kept;
    unsigned count = 0;
};

// Of a core that does not interleave every cycle is that of stream 0.
template <class T>
unsigned slot_of(const T& top) {
    if constexpr (requires { top.slot_o; }) return top.slot_o;
    else return 0;
}
template <class T>
bool long_of(const T& top) {
    if constexpr (requires { top.rsp_long_o; }) return top.rsp_long_o;
    else return false;
}
template <class T>
constexpr bool keeps(const T&) {
    return requires(T t) { t.rsp_long_o; };
}
template <class T>
constexpr unsigned streams_of() {
    return requires(T t) { t.slot_o; } ? 3 : 1;
}

class Bench {
  public:
    Bench(VerilatedContext& context, uint64_t seed) : top_(&context), random_(seed) {
        rate_ = RATE;
        reset(2);
    }

    void run(const std::vector<Message>& messages, bool stalls, bool resets) {
        std::deque<const Message*> todo;
        for (const auto& m : messages) todo.push_back(&m);
        stalls_ = stalls;
        size_t since = 0;
        // The cycles of two messages, in the mean, between two resets; twice those after each reset
        // since which no message has ended, for the longest must end, too.
        const uint64_t mean = served_ ? cycles_ / served_ : 100;
        lost_ = 0;
        auto next_reset = [&] { return cycles_ + 1 + random_() % ((4 * mean) << std::min(lost_, 32U)); };
        uint64_t next = next_reset();
        while (!todo.empty() || busy()) {
            for (auto& s : streams_)
                if (!s.message && !todo.empty()) {
                    start(s, todo.front());
                    todo.pop_front();
                }
            if (resets && cycles_ >= next) {
                // Whatever runs is lost, and sent again.
                for (auto& s : streams_)
                    if (s.message) todo.push_front(s.message);
                reset(1 + random_() % 3);
                ++resets_;
                ++lost_;
                next = next_reset();
                since = 0;
                continue;
            }
            since = step() ? 0 : since + 1;
            if (since > 30000) throw Wrong(first() + ": nothing moves any more");
        }
    }

    uint64_t cycles() const { return cycles_; }
    uint64_t resets() const { return resets_; }
    uint64_t served() const { return served_; }
    void finish() { top_.final(); }

  private:
    Vtop top_;
    std::mt19937_64 random_;
    std::array<Stream, streams_of<Vtop>()> streams_;
    size_t rate_;
    bool stalls_ = false;
    uint64_t cycles_ = 0, resets_ = 0, served_ = 0;
    unsigned lost_ = 0;  // resets since the last message that ended

    bool one_in(unsigned n) { return random_() % n == 0; }
    Bytes noise(size_t count) {
        Bytes bytes(count);
        for (auto& b : bytes) b = random_();
        return bytes;
    }
    bool busy() const {
        for (const auto& s : streams_)
            if (s.message) return true;
        return false;
    }
    std::string first() const {
        for (const auto& s : streams_)
            if (s.message) return s.message->name;
        return "no message";
    }

    void reset(unsigned count) {
        for (auto& s : streams_) s = Stream{};
        top_.rst_ni = 0;
        top_.req_valid_i = top_.blk_valid_i = top_.out_ready_i = top_.rsp_ready_i = 0;
        for (unsigned i = 0; i < count; ++i) {
            top_.clk_i = 0;
            top_.eval();
            top_.clk_i = 1;
            top_.eval();
        }
        top_.rst_ni = 1;
    }

    void start(Stream& s, const Message* m) {
        s = Stream{};
        s.message = m;
        for (const Bytes* part : {&m->ad, &m->data})
            for (size_t at = 0; at < part->size(); at += rate_) {
                size_t count = std::min(rate_, part->size() - at);
                Bytes data(part->begin() + at, part->begin() + at + count);
                // Past its end a block holds what it likes.
                for (uint8_t b : noise(rate_ - count)) data.push_back(b);
                s.blocks.push_back({data, static_cast<unsigned>(count), at + rate_ >= part->size()});
            }
    }

    // One cycle; whether anything was taken or given.
    bool step() {
        top_.clk_i = 0;
        top_.eval();
        Stream& s = streams_[slot_of(top_)];
        drive(s);
        top_.eval();
        bool moved = look(s);
        top_.clk_i = 1;
        top_.eval();
        ++cycles_;
        return moved;
    }

    void drive(Stream& s) {
        const Message* m = s.message;
        bool request = m && !s.requested;
        top_.req_valid_i = request;
        top_.req_decrypt_i = request ? m->decrypt : one_in(2);
        top_.req_ad_i = request ? !m->ad.empty() : one_in(2);
        top_.req_msg_i = request ? !m->data.empty() : one_in(2);
        put(top_.req_key_i, request ? m->key : noise(KEY));
        put(top_.req_nonce_i, request ? m->nonce : noise(NONCE));
        s.offered = !s.blocks.empty() && (s.offered || !stalls_ || !one_in(3));
        top_.blk_valid_i = s.offered;
        put(top_.blk_data_i, s.offered ? s.blocks.front().data : noise(rate_));
        top_.blk_bytes_i = s.offered ? s.blocks.front().bytes : 1 + random_() % rate_;
        top_.blk_last_i = s.offered ? s.blocks.front().last : one_in(2);
        top_.out_ready_i = m && (!stalls_ || one_in(2));
        top_.rsp_ready_i = m && (!stalls_ || one_in(2));
        put(top_.tag_i, m ? m->tag : noise(TAG));
    }

    bool look(Stream& s) {
        const Message* m = s.message;
        bool out = top_.out_valid_o, rsp = top_.rsp_valid_o, moved = false;
        if (!m) {
            if (out || rsp || top_.req_ready_o || top_.blk_ready_o) throw Wrong("something without a message");
            return false;
        }
        if (s.waiting && !out) throw Wrong(m->name + ": a block of output fell before it was taken");
        if (out) {
            Block block{get(top_.out_data_o, rate_), top_.out_bytes_o, bool(top_.out_last_o)};
            if (s.waiting && !(block == s.kept)) throw Wrong(m->name + ": a block of output changed while it waited");
            s.kept = block;
            s.waiting = !top_.out_ready_i;
            if (top_.out_ready_i) {
                take(s, block);
                moved = true;
            }
        }
        if (top_.req_ready_o) {
            if (!top_.req_valid_i) throw Wrong(m->name + ": a request was taken that is not there");
            s.requested = moved = true;
        }
        if (top_.blk_ready_o) {
            if (!s.offered) throw Wrong(m->name + ": a block was taken that is not there");
            s.blocks.pop_front();
            s.offered = false;
            moved = true;
        }
        if (rsp && top_.rsp_ready_i) {
            respond(s);
            moved = true;
        }
        return moved;
    }

    void take(Stream& s, const Block& block) {
        const Message& m = *s.message;
        if (!s.requested) throw Wrong(m.name + ": output before the request was taken");
        for (size_t i = block.bytes; i < rate_; ++i)
            if (block.data[i]) throw Wrong(m.name + ": bytes past the end of a block are not zero");
        s.out.insert(s.out.end(), block.data.begin(), block.data.begin() + block.bytes);
        if (s.out.size() > m.data.size()) throw Wrong(m.name + ": more output than there is data");
        if (block.last != (s.out.size() == m.data.size())) throw Wrong(m.name + ": the wrong block is the last");
    }

    void respond(Stream& s) {
        const Message& m = *s.message;
        if (!s.requested || !s.blocks.empty()) throw Wrong(m.name + ": a response before its time");
        bool refused = m.refused && keeps(top_), right = m.right && !refused;
        if (long_of(top_) != refused) throw Wrong(m.name + ": rsp_long_o is wrong");
        if (bool(top_.rsp_ok_o) != right) throw Wrong(m.name + ": rsp_ok_o is wrong");
        Bytes tag = get(top_.rsp_tag_o, TAG), none(TAG);
        if (tag != (m.decrypt ? none : m.want_tag)) throw Wrong(m.name + ": the tag is wrong");
        if (right && s.out != m.want) throw Wrong(m.name + ": the output is wrong");
        if (!right && s.out.size() != (keeps(top_) ? 0 : m.data.size())) throw Wrong(m.name + ": output of a wrong message");
        s = Stream{};
        ++served_;
        lost_ = 0;
    }
};

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    try {
        VerilatedContext context;
        auto messages = read(argv[1]);
        Bench bench(context, std::stoull(argv[2]));
        bench.run(messages, false, false);
        bench.run(messages, true, false);
        bench.run(messages, true, true);
        bench.run(messages, false, false);
        bench.finish();
        context.coveragep()->write(argv[3]);
        std::cout << bench.served() << ' ' << bench.cycles() << ' ' << bench.resets() << '\n';
    } catch (const Wrong& wrong) {
        std::cout << "wrong: " << wrong.what() << '\n';
        return 1;
    }
}
